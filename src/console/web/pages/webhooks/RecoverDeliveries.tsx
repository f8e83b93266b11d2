import { Button, NativeSelect } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { DialogForm, FormDialog } from "../../components/FormDialog.tsx";

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
];

interface RecoverDeliveriesProps {
  endpointId: string;
  isDisabled: boolean;
  /** Is called with the number of messages that are sent again. */
  onDone: (count: number) => void;
}

/** A button that sends all messages of a period again whose attempts have failed. */
export function RecoverDeliveries({ endpointId, isDisabled, onDone }: RecoverDeliveriesProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [hours, setHours] = useState("24");
  const { mutate, isPending, error } = useApiMutation("/v2/workspace/advancedwebhook/deliveries/recover");
  function submit(): void {
    const since = Date.now() - Number(hours) * HOUR_MS;
    mutate(
      { endpointId, since },
      {
        onSuccess: ({ data: { count } }) => {
          close();
          onDone(count);
        },
      },
    );
  }
  return (
    <>
      <Button size="compact-xs" variant="default" disabled={isDisabled} onClick={open}>
        Send all failed again…
      </Button>
      <FormDialog title="Send all failed deliveries again?" isOpen={isOpen} onClose={close}>
        <DialogForm action="Send again" isRunning={isPending} error={error} onSubmit={submit} onClose={close}>
          <NativeSelect
            label="Created in the"
            description="Also those for which another attempt would follow later."
            data={PERIODS}
            value={hours}
            onChange={({ currentTarget: { value } }) => setHours(value)}
          />
        </DialogForm>
      </FormDialog>
    </>
  );
}

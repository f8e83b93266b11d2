import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { DialogButton, DialogForm } from "../../components/FormDialog.tsx";

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
  const [hours, setHours] = useState("24");
  const { mutate, isPending, error } = useApiMutation("/v2/workspace/advancedwebhook/deliveries/recover");
  function submit(close: () => void): void {
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
    <DialogButton
      label="Send all failed again…"
      variant="default"
      isDisabled={isDisabled}
      title="Send all failed deliveries again?"
    >
      {(close) => (
        <DialogForm
          action="Send again"
          isRunning={isPending}
          error={error}
          onSubmit={() => submit(close)}
          onClose={close}
        >
          <NativeSelect
            label="Created in the"
            description="Also those for which another attempt would follow later."
            data={PERIODS}
            value={hours}
            onChange={({ currentTarget: { value } }) => setHours(value)}
          />
        </DialogForm>
      )}
    </DialogButton>
  );
}

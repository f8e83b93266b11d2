import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useChange } from "../../api/use-answer.ts";
import { Confirm } from "../../components/Confirm.tsx";

type Outcome = Record<string, { success: boolean; message: string }>;

interface AccessSwitchProps {
  organizationId: string;
  isDisabled: boolean;
}

/** Disables an organization or enables it again, after having said what that does. */
export function AccessSwitch({ organizationId, isDisabled }: AccessSwitchProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [failure, setFailure] = useState<Error | null>(null);
  const { mutate, isPending, error } = useChange<Outcome, { organizationIds: string[]; disabled: boolean }>(
    "/v2/organizations/access/disablestate/update",
  );
  function confirm(): void {
    setFailure(null);
    mutate(
      { organizationIds: [organizationId], disabled: !isDisabled },
      {
        onSuccess: ({ data }) => {
          const outcome = data[organizationId];
          if (outcome?.success) close();
          else setFailure(new Error(outcome?.message ?? "The answer says nothing of this organization."));
        },
      },
    );
  }
  const action = isDisabled ? "Enable" : "Disable";
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {action}…
      </Button>
      <Confirm
        title={`${action} ${organizationId}?`}
        action={action}
        isOpen={isOpen}
        isRunning={isPending}
        error={failure ?? error}
        onConfirm={confirm}
        onClose={close}
      >
        {isDisabled ? (
          <Text size="sm">
            From the answer on, everybody in this organization can read and write again. Nothing of it was deleted.
          </Text>
        ) : (
          <Text size="sm">
            From the answer on, every read and write of this organization's activities, notifications, recordings,
            presence, comments and document contents is refused, for everybody and on every server. Nothing is deleted;
            its people, groups and documents can still be managed, people's data still be deleted, and Enable takes it
            back.
          </Text>
        )}
      </Confirm>
    </>
  );
}

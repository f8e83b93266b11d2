import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { itemFailure } from "../../components/item-failure.ts";

interface AccessSwitchProps {
  organizationId: string;
  isDisabled: boolean;
}

/** A button that disables or enables an organization after confirmation. */
export function AccessSwitch({ organizationId, isDisabled }: AccessSwitchProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {isDisabled ? "Enable…" : "Disable…"}
      </Button>
      <AccessDialog organizationId={organizationId} isDisabled={isDisabled} isOpen={isOpen} onClose={close} />
    </>
  );
}

interface AccessDialogProps extends AccessSwitchProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation and disables or enables an organization. */
export function AccessDialog({ organizationId, isDisabled, isOpen, onClose }: AccessDialogProps) {
  const action = isDisabled ? "Enable" : "Disable";
  const [failure, setFailure] = useState<Error>();
  const { mutate, isPending, error } = useApiMutation("/v2/organizations/access/disablestate/update");
  function confirm(): void {
    setFailure(undefined);
    mutate(
      { organizationIds: [organizationId], disabled: !isDisabled },
      {
        onSuccess: ({ data }) => {
          const message = itemFailure(data[organizationId]);
          if (message === undefined) onClose();
          else setFailure(new Error(message));
        },
      },
    );
  }
  return (
    <ConfirmDialog
      title={`${action} ${organizationId}?`}
      action={action}
      isOpen={isOpen}
      isRunning={isPending}
      error={failure ?? error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isDisabled ? (
        <Text size="sm">Data can be read and changed again, effective immediately. Nothing was deleted.</Text>
      ) : (
        <Text size="sm">
          Blocks all reads and writes of this organization's activities, notifications, recordings, presence, comments
          and document contents, effective immediately. Nothing is deleted. Users, groups and documents can still be
          managed, and user data can still be deleted. You can enable the organization again at any time.
        </Text>
      )}
    </ConfirmDialog>
  );
}

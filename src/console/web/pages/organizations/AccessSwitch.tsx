import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { DisableDialog } from "../../components/DisableDialog.tsx";

interface AccessSwitchProps {
  organizationId: string;
  /** Name of the organization, or its ID if there is none. */
  name: string;
  isDisabled: boolean;
}

/** A button that disables or enables an organization after confirmation. */
export function AccessSwitch({ organizationId, name, isDisabled }: AccessSwitchProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {isDisabled ? "Enable…" : "Disable…"}
      </Button>
      <AccessDialog {...{ organizationId, name }} isDisabled={isDisabled} isOpen={isOpen} onClose={close} />
    </>
  );
}

interface AccessDialogProps extends AccessSwitchProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation and disables or enables an organization. */
export function AccessDialog({ organizationId, ...rest }: AccessDialogProps) {
  return (
    <DisableDialog
      path="/v2/organizations/access/disablestate/update"
      buildRequest={(disabled) => ({ organizationIds: [organizationId], disabled })}
      {...rest}
    >
      <Text size="sm">
        Blocks all reads and writes of this organization's activities, notifications, recordings, presence, comments and
        document contents, effective immediately. Nothing is deleted. Users and groups can still be managed; documents
        cannot be read or changed. User data can still be deleted. You can enable the organization again at any time.
      </Text>
    </DisableDialog>
  );
}

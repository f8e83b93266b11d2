import { Text } from "@mantine/core";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";

interface AccessSwitchProps {
  organizationId: string;
  isDisabled: boolean;
}

/** Disables an organization or enables it again, after having said what that does. */
export function AccessSwitch({ organizationId, isDisabled }: AccessSwitchProps) {
  const action = isDisabled ? "Enable" : "Disable";
  return (
    <ConfirmButton
      label={`${action}…`}
      size="xs"
      title={`${action} ${organizationId}?`}
      action={action}
      request={{
        path: "/v2/organizations/access/disablestate/update",
        data: { organizationIds: [organizationId], disabled: !isDisabled },
      }}
      itemId={organizationId}
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
    </ConfirmButton>
  );
}

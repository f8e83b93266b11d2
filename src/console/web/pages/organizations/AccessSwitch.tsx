import { Text } from "@mantine/core";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { itemFailure } from "../../components/item-failure.ts";

interface AccessSwitchProps {
  organizationId: string;
  isDisabled: boolean;
}

/** A button that disables or enables an organization after confirmation. */
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
      failureIn={(data) => itemFailure(data[organizationId])}
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
    </ConfirmButton>
  );
}

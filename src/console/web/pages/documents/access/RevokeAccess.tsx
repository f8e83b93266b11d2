import { Text } from "@mantine/core";
import { ConfirmButton } from "../../../components/ConfirmButton.tsx";
import { userLabel } from "../../../components/display-text.ts";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import type { PermittedUser, Resource } from "./access.ts";

/** A button that removes a user's permission on the resource after confirmation. */
export function RevokeAccess({ resource, user }: { resource: Resource; user: PermittedUser }) {
  const { type, organizationId, id, label } = resource;
  const name = userLabel(user);
  return (
    <ConfirmButton
      label="Revoke…"
      target={name}
      tabIndex={-1}
      title={`Revoke ${name}'s access?`}
      action="Revoke"
      request={{
        path: "/v2/auth/permissions/remove",
        data: { userId: user.userId, permissions: { resources: [{ type, id, organizationId }] } },
      }}
    >
      <Text size="sm">
        Removes the permission on {type} <UntrustedText>{label}</UntrustedText>, also from the user tokens that have it.
        A permission on a folder above or on the organization may still give access.
      </Text>
    </ConfirmButton>
  );
}

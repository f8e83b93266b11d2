import { Text } from "@mantine/core";
import type { ResponseData } from "../../api/call.ts";
import { useApiMutation, useApiRead } from "../../api/use-api.ts";
import { ROLES, toRole } from "../../components/access-roles.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { userLabel } from "../../components/display-text.ts";
import { ItemDialog } from "../../components/ItemDialog.tsx";
import { onlyItemError, useOnlyItemError } from "../../components/item-error.ts";
import { useOrganizationName } from "../../components/organization-names.ts";

const ITEM = "data.users[0]";
const NAME = { name: "name", label: "Name", placeholder: "Ada Lovelace" } as const;
const EMAIL = { name: "email", label: "Email address", placeholder: "ada@example.com", type: "email" } as const;

const NO_ROLE = { value: "", label: "No role" };
const ROLE = { name: "accessRole", label: "Role on the organization" } as const;

type User = ResponseData<"/v2/users/figures/get">["users"][number];

/** Returns the field with the role that was chosen, if any. */
function toRoleField(value: string): Pick<User, "accessRole"> {
  const accessRole = toRole(value);
  return accessRole ? { accessRole } : {};
}

/** A dialog that adds a user to an organization. */
export function NewUser({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const read = useApiRead("/v2/users/figures/get");
  return (
    <ItemDialog
      title="Create user"
      action="Create"
      path="/v2/users/add"
      at={ITEM}
      fields={[
        {
          name: "userId",
          label: "User ID",
          description: "The ID your backend sends.",
          placeholder: "ada",
          isRequired: true,
        },
        NAME,
        EMAIL,
        { ...ROLE, options: [NO_ROLE, ...ROLES] },
      ]}
      buildRequest={({ userId, name, email, accessRole }) => ({
        organizationId,
        users: [{ userId, ...(name && { name }), ...(email && { email }), ...toRoleField(accessRole) }],
      })}
      exists={async ({ userId }) => {
        const { users } = await read({ organizationId, search: userId, pageSize: 1000 });
        return users.some((user) => user.userId === userId);
      }}
      onClose={onClose}
    />
  );
}

interface UserDialogProps {
  organizationId: string;
  user: User;
  onClose: () => void;
}

/** A dialog that changes the name, the address and the role of a user of an organization. */
export function EditUser({ organizationId, user: { userId, name, email, accessRole }, onClose }: UserDialogProps) {
  return (
    <ItemDialog
      title={`Edit ${userId}`}
      action="Save"
      path="/v2/users/update"
      at={ITEM}
      fields={[
        { ...NAME, value: name },
        { ...EMAIL, value: email },
        { ...ROLE, value: accessRole, options: accessRole ? ROLES : [NO_ROLE, ...ROLES] },
      ]}
      buildRequest={({ accessRole: role, ...fields }) => ({
        organizationId,
        users: [{ userId, ...fields, ...toRoleField(role) }],
      })}
      onClose={onClose}
    />
  );
}

/** Asks for confirmation and removes a user from an organization. */
export function RemoveUser({ organizationId, user, onClose }: UserDialogProps) {
  const { userId } = user;
  const organizationName = useOrganizationName(organizationId);
  const { mutate, isPending, data, error } = useApiMutation("/v2/users/delete");
  const itemError = useOnlyItemError(data?.data);
  return (
    <ConfirmDialog
      title={`Remove ${userLabel(user)} from ${organizationName}?`}
      action="Remove"
      isOpen
      isRunning={isPending}
      error={error ?? itemError}
      onConfirm={() =>
        mutate(
          { organizationId, userIds: [userId] },
          { onSuccess: (response) => onlyItemError(response.data) ?? onClose() },
        )
      }
      onClose={onClose}
    >
      <Text size="sm">
        Deletes the user's record, groups and permissions in this organization. What the user wrote is kept; you can
        delete it on the user's page.
      </Text>
    </ConfirmDialog>
  );
}

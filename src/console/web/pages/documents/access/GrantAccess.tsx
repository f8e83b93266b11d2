import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldIssues } from "../../../api/field-issues.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { type AccessRole, ROLES, toRole } from "../../../components/access-roles.ts";
import { getEndOfDay, toDateInput } from "../../../components/expiry.ts";
import { DialogButton, DialogForm } from "../../../components/FormDialog.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { UserField, useKnownUsers, useUserLookUp } from "../../../components/UserField.tsx";
import type { Resource } from "./access.ts";

const USER_ID = "data.user.userId";
const EXPIRES_AT = "data.permissions.resources[0].expiresAt";

interface GrantAccessProps {
  resource: Resource;
  /** Whether users without a permission are editors. */
  isPublic: boolean;
}

/** A button that gives a user a permission on the resource. */
export function GrantAccess({ resource, isPublic }: GrantAccessProps) {
  return (
    <DialogButton label="Grant access…" title={`Grant access to ${resource.label}`}>
      {(close) => <Form resource={resource} isPublic={isPublic} onClose={close} />}
    </DialogButton>
  );
}

function Form({ resource, isPublic, onClose }: GrantAccessProps & { onClose: () => void }) {
  const { type, organizationId, id, label } = resource;
  const [userId, setUserId] = useState("");
  const [accessRole, setRole] = useState<AccessRole>("viewer");
  const [lastDay, setLastDay] = useState("");
  const users = useKnownUsers(organizationId, userId);
  const looking = useUserLookUp(organizationId, users);
  const typed = userId.trim();
  const { mutate, isPending, error, reset } = useApiMutation("/v2/auth/permissions/add");
  const { at, rest } = fieldIssues(looking.error ?? error, [USER_ID, EXPIRES_AT]);
  async function submit(): Promise<void> {
    const user = await looking.lookUp(typed).catch(() => undefined);
    if (!user) return;
    const end = getEndOfDay(lastDay);
    const expiresAt = end === undefined ? {} : { expiresAt: end / 1000 };
    mutate(
      {
        user: { userId: user.userId },
        permissions: { resources: [{ type, id, organizationId, accessRole, ...expiresAt }] },
      },
      { onSuccess: onClose },
    );
  }
  return (
    <DialogForm
      action="Grant access"
      isReady={typed !== ""}
      isRunning={looking.isPending || isPending}
      outcome={error}
      error={rest}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text size="sm">
        The permission applies to {type} <UntrustedText>{label}</UntrustedText>
        {type === "folder" && " and to what is in it"}. It replaces the one that the user has there.
      </Text>
      <UserField
        label="User"
        users={users}
        data-autofocus
        value={userId}
        error={at(USER_ID) ?? looking.getWarning(typed)}
        onChange={(value) => {
          setUserId(value);
          reset();
        }}
      />
      <NativeSelect
        label="Role"
        description={
          isPublic && (accessRole === "viewer" || accessRole === "commenter")
            ? `The ${type} is public: every user can edit. This role takes that away from this user.`
            : undefined
        }
        data={ROLES}
        value={accessRole}
        onChange={(event) => setRole(toRole(event.currentTarget.value) ?? accessRole)}
      />
      <TextInput
        label="Last valid day"
        description="Leave empty for a permission that never expires"
        type="date"
        min={toDateInput(Date.now())}
        value={lastDay}
        error={at(EXPIRES_AT)}
        onChange={(event) => {
          setLastDay(event.currentTarget.value);
          reset();
        }}
      />
    </DialogForm>
  );
}

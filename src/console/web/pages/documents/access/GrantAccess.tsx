import { Button, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { fieldIssues } from "../../../api/field-issues.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { getEndOfDay, toDateInput } from "../../../components/expiry.ts";
import { DialogForm, FormDialog } from "../../../components/FormDialog.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import type { Resource } from "./access.ts";

const ROLES = [
  { value: "viewer", label: "Viewer: reads" },
  { value: "editor", label: "Editor: reads and writes" },
];
const USER_ID = "data.user.userId";
const EXPIRES_AT = "data.permissions.resources[0].expiresAt";

/** A button that gives a user a permission on the resource. */
export function GrantAccess({ resource }: { resource: Resource }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="compact-xs" onClick={open}>
        Grant access…
      </Button>
      <FormDialog title={`Grant access to ${resource.label}`} isOpen={isOpen} onClose={close}>
        <Form resource={resource} onClose={close} />
      </FormDialog>
    </>
  );
}

function Form({ resource, onClose }: { resource: Resource; onClose: () => void }) {
  const { type, organizationId, id, label } = resource;
  const [userId, setUserId] = useState("");
  const [accessRole, setRole] = useState<"viewer" | "editor">("viewer");
  const [lastDay, setLastDay] = useState("");
  const { mutate, isPending, error, reset } = useApiMutation("/v2/auth/permissions/add");
  const { at, rest } = fieldIssues(error, [USER_ID, EXPIRES_AT]);
  function submit(): void {
    const end = getEndOfDay(lastDay);
    const expiresAt = end === undefined ? {} : { expiresAt: end / 1000 };
    mutate(
      {
        user: { userId: userId.trim() },
        permissions: { resources: [{ type, id, organizationId, accessRole, ...expiresAt }] },
      },
      { onSuccess: onClose },
    );
  }
  return (
    <DialogForm
      action="Grant access"
      isReady={userId.trim() !== ""}
      isRunning={isPending}
      outcome={error}
      error={rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        The permission applies to {type} <UntrustedText>{label}</UntrustedText>
        {type === "folder" && " and to what is in it"}. It replaces the one that the user has there.
      </Text>
      <TextInput
        label="User ID"
        description="As your backend sends it"
        placeholder="ada"
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={userId}
        error={at(USER_ID)}
        onChange={(event) => {
          setUserId(event.currentTarget.value);
          reset();
        }}
      />
      <NativeSelect
        label="Role"
        data={ROLES}
        value={accessRole}
        onChange={(event) => setRole(event.currentTarget.value === "editor" ? "editor" : "viewer")}
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

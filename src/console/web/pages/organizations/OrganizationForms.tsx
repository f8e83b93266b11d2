import { TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldIssues } from "../../api/field-issues.ts";
import { useApiMutation } from "../../api/use-api.ts";
import { DialogForm, FormDialog } from "../../components/FormDialog.tsx";
import { itemFailure } from "../../components/item-failure.ts";

const ORGANIZATION_ID = "data.organizations[0].organizationId";
const NAME = "data.organizations[0].organizationName";

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** A dialog that creates an organization. */
export function NewOrganization({ isOpen, onClose }: DialogProps) {
  return (
    <FormDialog title="New organization" isOpen={isOpen} onClose={onClose}>
      <CreateForm onClose={onClose} />
    </FormDialog>
  );
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const [id, setId] = useState("");
  const [name, setName] = useState("");
  const { mutate, data, isPending, error, reset } = useApiMutation("/v2/organizations/add");
  const organizationId = id.trim();
  const failed = data && itemFailure(data.data[organizationId]);
  const { at, rest } = fieldIssues(error, [ORGANIZATION_ID, NAME]);
  function submit(): void {
    const organization = { organizationId, organizationName: name.trim() };
    mutate(
      { organizations: [organization] },
      { onSuccess: (answer) => itemFailure(answer.data[organizationId]) ?? onClose() },
    );
  }
  return (
    <DialogForm
      action="Create"
      isReady={organizationId !== ""}
      isRunning={isPending}
      outcome={error ?? data}
      error={rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Organization ID"
        description="The ID that your backend sends. It cannot be changed later."
        placeholder="acme"
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={id}
        error={failed ?? at(ORGANIZATION_ID)}
        onChange={(event) => {
          setId(event.currentTarget.value);
          reset();
        }}
      />
      <NameInput value={name} error={at(NAME)} onChange={setName} />
    </DialogForm>
  );
}

interface RenameOrganizationProps extends DialogProps {
  organizationId: string;
  organizationName: string;
}

/** A dialog that changes the name of an organization. */
export function RenameOrganization({ isOpen, onClose, organizationId, ...rest }: RenameOrganizationProps) {
  return (
    <FormDialog title={`Rename ${organizationId}`} isOpen={isOpen} onClose={onClose}>
      <RenameForm organizationId={organizationId} onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function RenameForm({ organizationId, organizationName, onClose }: Omit<RenameOrganizationProps, "isOpen">) {
  const [name, setName] = useState(organizationName);
  const { mutate, data, isPending, error } = useApiMutation("/v2/organizations/update");
  const failed = data && itemFailure(data.data[organizationId]);
  const { at, rest } = fieldIssues(error, [NAME]);
  function submit(): void {
    mutate(
      { organizations: [{ organizationId, organizationName: name.trim() }] },
      { onSuccess: (answer) => itemFailure(answer.data[organizationId]) ?? onClose() },
    );
  }
  return (
    <DialogForm
      action="Rename"
      isReady={name.trim() !== organizationName}
      isRunning={isPending}
      outcome={error ?? data}
      error={rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameInput isFirst value={name} error={failed ?? at(NAME)} onChange={setName} />
    </DialogForm>
  );
}

interface NameInputProps {
  value: string;
  error: string | undefined;
  isFirst?: boolean;
  onChange: (name: string) => void;
}

function NameInput({ value, error, isFirst = false, onChange }: NameInputProps) {
  return (
    <TextInput
      label="Name"
      placeholder="Acme Ltd"
      autoComplete="off"
      {...(isFirst && { "data-autofocus": true })}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

import { TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldIssues } from "../../../api/field-issues.ts";
import type { Folder } from "../../../api/records.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { DialogButton, DialogForm } from "../../../components/FormDialog.tsx";
import { itemError } from "../../../components/item-error.ts";
import { folderLabel } from "./folder.ts";

const NAME = "data.folders[0].folderName";

/** A button that changes the name of a folder. */
export function RenameFolder({ folder }: { folder: Folder }) {
  return (
    <DialogButton label="Rename…" variant="default" title={`Rename ${folderLabel(folder)}`}>
      {(close) => <Form folder={folder} onClose={close} />}
    </DialogButton>
  );
}

function Form({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { organizationId, folderId } = folder;
  const [name, setName] = useState(folder.folderName);
  const { mutate, isPending, error, data, reset } = useApiMutation("/v2/organizations/folders/update");
  const { at, rest } = fieldIssues(error, [NAME]);
  function submit(): void {
    mutate(
      { organizationId, folders: [{ folderId, folderName: name.trim() }] },
      { onSuccess: ({ data: results }) => itemError(results[folderId]) === undefined && onClose() },
    );
  }
  return (
    <DialogForm
      action="Rename"
      isRunning={isPending}
      outcome={error ?? data}
      error={rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The ID is shown if empty"
        maxLength={256}
        autoComplete="off"
        data-autofocus
        value={name}
        error={at(NAME) ?? (data && itemError(data.data[folderId]))}
        onChange={(event) => {
          setName(event.currentTarget.value);
          reset();
        }}
      />
    </DialogForm>
  );
}

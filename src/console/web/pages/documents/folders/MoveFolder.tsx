import { Text } from "@mantine/core";
import { useState } from "react";
import type { Folder } from "../../../api/records.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { DialogButton, DialogForm } from "../../../components/FormDialog.tsx";
import { itemError } from "../../../components/item-error.ts";
import { FolderSelect } from "./FolderSelect.tsx";
import { folderLabel } from "./folder.ts";

/** A button that moves a folder into another one. */
export function MoveFolder({ folder }: { folder: Folder }) {
  return (
    <DialogButton label="Move…" variant="default" title={`Move ${folderLabel(folder)}`}>
      {(close) => <Form folder={folder} onClose={close} />}
    </DialogButton>
  );
}

function Form({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { organizationId, folderId } = folder;
  const [parentFolderId, setParent] = useState(folder.parentFolderId);
  const { mutate, isPending, error, data, reset } = useApiMutation("/v2/organizations/folders/update");
  function submit(): void {
    mutate(
      { organizationId, folders: [{ folderId, parentFolderId }] },
      { onSuccess: ({ data: results }) => itemError(results[folderId]) === undefined && onClose() },
    );
  }
  return (
    <DialogForm
      action="Move"
      isReady={parentFolderId !== folder.parentFolderId}
      isRunning={isPending}
      outcome={data}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        Everything in the folder moves with it. What inherits its access type has that of the new parent folder from
        then on.
      </Text>
      <FolderSelect
        organizationId={organizationId}
        label="To"
        moved={folderId}
        value={parentFolderId}
        error={data && itemError(data.data[folderId])}
        onChange={(chosen) => {
          setParent(chosen);
          reset();
        }}
      />
    </DialogForm>
  );
}

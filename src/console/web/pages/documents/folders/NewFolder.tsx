import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { ResponseData } from "../../../api/call.ts";
import { fieldIssues } from "../../../api/field-issues.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { DialogButton, DialogForm } from "../../../components/FormDialog.tsx";
import { useUrlParameters } from "../../../url.ts";
import { FolderSelect } from "./FolderSelect.tsx";
import { ROOT } from "./folder.ts";

const PATH = "/v2/organizations/folders/add";
const NAME = "data.folders[0].folderName";
const ID = "data.folders[0].folderId";

/** A button that creates a folder in the selected one, and selects it. */
export function NewFolder({ organizationId }: { organizationId: string }) {
  return (
    <DialogButton label="Create folder" title="Create folder">
      {(close) => <Form organizationId={organizationId} onClose={close} />}
    </DialogButton>
  );
}

function Form({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const { get, change } = useUrlParameters();
  const [name, setName] = useState("");
  const [id, setId] = useState("");
  const [parentFolderId, setParent] = useState(get("folder") ?? ROOT);
  const { mutate, isPending, error, data, reset } = useApiMutation(PATH);
  const folderId = id.trim() || name.trim();
  const itemError = data && getError(data.data);
  const { at, rest } = fieldIssues(error, [NAME, ID]);
  function submit(): void {
    mutate(
      { organizationId, folders: [{ folderId, folderName: name.trim(), parentFolderId }] },
      {
        onSuccess: ({ data: results }) => {
          if (getError(results)) return;
          onClose();
          change({ folder: folderId });
        },
      },
    );
  }
  return (
    <DialogForm
      action="Create"
      isReady={name.trim() !== ""}
      isRunning={isPending}
      outcome={error ?? data}
      error={rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        maxLength={256}
        autoComplete="off"
        data-autofocus
        value={name}
        error={at(NAME)}
        onChange={(event) => {
          setName(event.currentTarget.value);
          reset();
        }}
      />
      <TextInput
        label="ID"
        description="The ID that your backend sends; the name if this is empty"
        placeholder={name.trim()}
        maxLength={256}
        autoComplete="off"
        value={id}
        error={at(ID) ?? itemError?.id}
        onChange={(event) => {
          setId(event.currentTarget.value);
          reset();
        }}
      />
      <FolderSelect
        organizationId={organizationId}
        label="In"
        value={parentFolderId}
        error={itemError?.parent}
        onChange={(chosen) => {
          setParent(chosen);
          reset();
        }}
      />
    </DialogForm>
  );
}

/** Returns why the only folder of a request was not created, by field; undefined if it was created. */
function getError(results: ResponseData<typeof PATH>): { id?: string; parent?: string } | undefined {
  const [result] = Object.values(results);
  if (result?.success) return undefined;
  if (result?.code === "already-exists") return { id: "A folder with this ID exists already." };
  return { parent: result?.message ?? "The response has no result for this folder." };
}

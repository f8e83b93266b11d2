import { Text } from "@mantine/core";
import { useState } from "react";
import { useApiMutation } from "../../../api/use-api.ts";
import { revealBidiControls } from "../../../components/bidi.ts";
import { nameOrId } from "../../../components/display-text.ts";
import { DialogButton, DialogForm, FormDialog } from "../../../components/FormDialog.tsx";
import { FolderSelect } from "./FolderSelect.tsx";
import { ROOT } from "./folder.ts";

interface MoveDocumentProps {
  organizationId: string;
  document: { id: string; documentName: string; folderId?: string };
}

/** A button that moves a document into a folder, or out of any. */
export function MoveDocument({ organizationId, document }: MoveDocumentProps) {
  const name = nameOrId(document.documentName, document.id);
  return (
    <DialogButton label="Move…" target={name} variant="default" title={`Move ${name}`}>
      {(close) => <Form organizationId={organizationId} document={document} onClose={close} />}
    </DialogButton>
  );
}

/** A dialog that moves a document into a folder, or out of any. */
export function MoveDialog(props: MoveDocumentProps & { onClose: () => void }) {
  const { id, documentName } = props.document;
  return (
    <FormDialog title={`Move ${nameOrId(documentName, id)}`} isOpen onClose={props.onClose}>
      <Form {...props} />
    </FormDialog>
  );
}

function Form({ organizationId, document, onClose }: MoveDocumentProps & { onClose: () => void }) {
  const current = document.folderId ?? ROOT;
  const [folderId, setFolder] = useState(current);
  const { mutate, isPending, error, reset } = useApiMutation("/v2/organizations/documents/move");
  const isMissing = error?.status === "NOT_FOUND";
  return (
    <DialogForm
      action="Move"
      isReady={folderId !== current}
      isRunning={isPending}
      outcome={error}
      error={isMissing ? undefined : error}
      onSubmit={() => mutate({ organizationId, documentIds: [document.id], folderId }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">If the document inherits its access, that of the new place applies at once.</Text>
      <FolderSelect
        organizationId={organizationId}
        label="To"
        description="The top level is outside of any folder"
        value={folderId}
        error={isMissing ? revealBidiControls(error.message) : undefined}
        onChange={(chosen) => {
          setFolder(chosen);
          reset();
        }}
      />
    </DialogForm>
  );
}

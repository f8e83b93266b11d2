import { Text } from "@mantine/core";
import { useApiRead } from "../../api/use-api.ts";
import { DisableDialog } from "../../components/DisableDialog.tsx";
import { nameOrId } from "../../components/display-text.ts";
import { ItemDialog } from "../../components/ItemDialog.tsx";

const ITEM = "data.documents[0]";
const NAME = { name: "documentName", label: "Name", placeholder: "Contract 7" } as const;

interface NewDocumentProps {
  organizationId: string;
  /** Folder to put it in; `root` is outside of any folder. */
  folderId: string | undefined;
  onClose: () => void;
}

/** A dialog that creates a document. */
export function NewDocument({ organizationId, folderId, onClose }: NewDocumentProps) {
  const read = useApiRead("/v2/organizations/documents/get");
  return (
    <ItemDialog
      title="Create document"
      action="Create"
      path="/v2/organizations/documents/add"
      at={ITEM}
      fields={[
        {
          name: "documentId",
          label: "Document ID",
          description: "The ID that your backend sends.",
          placeholder: "contract-7",
          isRequired: true,
        },
        NAME,
      ]}
      buildRequest={(document) => ({ organizationId, documents: [document], ...(folderId && { folderId }) })}
      exists={async ({ documentId }) => (await read({ organizationId, documentIds: [documentId] })).length > 0}
      onClose={onClose}
    />
  );
}

interface DocumentDialogProps {
  organizationId: string;
  document: { id: string; documentName: string; disabled: boolean };
  onClose: () => void;
}

/** A dialog that changes the name of a document. */
export function RenameDocument({ organizationId, document: { id, documentName }, onClose }: DocumentDialogProps) {
  return (
    <ItemDialog
      title={`Rename ${id}`}
      action="Rename"
      path="/v2/organizations/documents/update"
      at={ITEM}
      fields={[{ ...NAME, value: documentName }]}
      buildRequest={(fields) => ({ organizationId, documents: [{ documentId: id, ...fields }] })}
      onClose={onClose}
    />
  );
}

/** Asks for confirmation and disables or enables a document. */
export function DisableDocument({ organizationId, document, onClose }: DocumentDialogProps) {
  const { id, documentName, disabled: isDisabled } = document;
  return (
    <DisableDialog
      name={nameOrId(documentName, id)}
      isDisabled={isDisabled}
      path="/v2/organizations/documents/access/disablestate/update"
      buildRequest={(disabled) => ({ organizationId, documentIds: [id], disabled })}
      isOpen
      onClose={onClose}
    >
      <Text size="sm">
        Blocks all reads and writes of this document's activities, notifications, recordings, presence, comments and
        content, effective immediately. Nothing is deleted. It can still be renamed and moved, and user data can still
        be deleted. You can enable the document again at any time.
      </Text>
    </DisableDialog>
  );
}

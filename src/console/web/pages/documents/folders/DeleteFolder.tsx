import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Folder } from "../../../api/records.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { ConfirmDialog } from "../../../components/ConfirmDialog.tsx";
import { useUrlParameters } from "../../../url.ts";
import { folderLabel, ROOT } from "./folder.ts";

/** A button that deletes a folder with everything in it after confirmation, and selects its parent. */
export function DeleteFolder({ folder }: { folder: Folder }) {
  const { organizationId, folderId, parentFolderId } = folder;
  const { change } = useUrlParameters();
  const [isOpen, { open, close }] = useDisclosure();
  const { mutate, isPending, error } = useApiMutation("/v2/organizations/folders/delete");
  function confirm(): void {
    const parent = parentFolderId === ROOT ? undefined : parentFolderId;
    mutate({ organizationId, folderId }, { onSuccess: () => change({ folder: parent }, { replace: true }) });
  }
  return (
    <>
      <Button size="compact-xs" variant="outline" color="red" className="danger" onClick={open}>
        Delete…
      </Button>
      <ConfirmDialog
        title={`Delete ${folderLabel(folder)}?`}
        action="Delete permanently"
        typed={folderId}
        isOpen={isOpen}
        isRunning={isPending}
        error={error}
        onConfirm={confirm}
        onClose={close}
      >
        <Text size="sm">
          Deletes the folder, its subfolders and all documents in them at once. A job then purges everything written to
          these documents: contents, comments, notifications, recordings and activities. This cannot be undone.
        </Text>
        <Text size="sm">To keep documents or subfolders, move them to another folder first.</Text>
      </ConfirmDialog>
    </>
  );
}

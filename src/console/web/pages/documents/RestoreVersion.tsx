import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useApiMutation } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { type EditorRef, getVersionName, type Version } from "./version.ts";

/** A button that restores a version after confirmation. */
export function RestoreVersion({ place, version }: { place: EditorRef; version: Version }) {
  const name = getVersionName(version);
  const [isOpen, { open, close }] = useDisclosure();
  const restore = useApiMutation("/v2/crdt/versions/restore");
  async function confirm(): Promise<void> {
    try {
      await restore.mutateAsync({ ...place, versionId: version.id });
      close();
    } catch {
      // The dialog shows the error.
    }
  }
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={open} aria-label={revealBidiControls(`Restore… ${name}`)}>
        Restore…
      </Button>
      <ConfirmDialog
        title={`Restore ${name}?`}
        action="Restore"
        isOpen={isOpen}
        isRunning={restore.isPending}
        error={restore.error}
        onConfirm={() => void confirm()}
        onClose={close}
      >
        <Text size="sm">
          Makes the content that of the version. Connected clients follow, and what their users type meanwhile is
          merged. The present content stays as an automatic version.
        </Text>
      </ConfirmDialog>
    </>
  );
}

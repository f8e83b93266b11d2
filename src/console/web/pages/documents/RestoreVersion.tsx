import { Button, Checkbox, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import type { EditorRef, Version } from "./version.ts";

/** Maximum length of a name, in UTF-16 units. */
const MAX_LENGTH = 256;

/** A button that restores a version after confirmation, and keeps the present content as another one first. */
export function RestoreVersion({ place, version: { id, name } }: { place: EditorRef; version: Version }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [keepsPresent, setKeepsPresent] = useState(true);
  const add = useApiMutation("/v2/crdt/versions/add");
  const restore = useApiMutation("/v2/crdt/versions/restore");
  async function confirm(): Promise<void> {
    try {
      const present = `Before ${name} was restored`.slice(0, MAX_LENGTH).toWellFormed();
      if (keepsPresent) await add.mutateAsync({ ...place, name: present });
      await restore.mutateAsync({ ...place, versionId: id });
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
        isRunning={add.isPending || restore.isPending}
        error={add.error ?? restore.error}
        onConfirm={() => void confirm()}
        onClose={close}
      >
        <Text size="sm">
          Makes the content that of the version. Connected clients follow, and what their users type meanwhile is
          merged.
        </Text>
        <Checkbox
          label="Keep the present content as a version first"
          checked={keepsPresent}
          onChange={(event) => setKeepsPresent(event.currentTarget.checked)}
        />
      </ConfirmDialog>
    </>
  );
}

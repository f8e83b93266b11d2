import { redactMentionsStep } from "../../purge/steps.ts";
import type { UserDataKind } from "../../purge/user-data-kind.ts";

/** Folders stay, without mentions of the users in their names. */
export const folderData: UserDataKind = {
  kind: "folders",
  columns: { folders: ["record"] },
  steps: [redactMentionsStep({ table: "folders", key: ["folder_id"], hasBytes: false }, [])],
};

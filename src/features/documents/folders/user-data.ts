import { stripMentionsStep } from "../../erasure/steps.ts";
import type { UserDataKind } from "../../erasure/user-data-kind.ts";

/** Folders stay, without mentions of the users in their names. */
export const folderData: UserDataKind = {
  kind: "folders",
  columns: { folders: ["record"] },
  steps: [stripMentionsStep({ table: "folders", key: ["folder_id"], hasBytes: false }, [])],
};

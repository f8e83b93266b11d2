import { redactMentionsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Documents stay, without mentions of the users in their metadata. */
export const documentData: UserDataKind = {
  kind: "documents",
  columns: { documents: ["record", "name"] },
  steps: [redactMentionsStep({ table: "documents", key: ["document_id"], hasBytes: true }, ["documentId"])],
};

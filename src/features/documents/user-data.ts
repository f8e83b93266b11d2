import { stripMentionsStep } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** Documents stay, without mentions of the users in their metadata. */
export const documentData: UserDataKind = {
  kind: "documents",
  columns: { documents: ["record"] },
  steps: [stripMentionsStep({ table: "documents", key: ["document_id"], hasBytes: true }, ["documentId"])],
};

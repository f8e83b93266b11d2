import { mentionsIn } from "../user-data/steps.ts";
import type { UserData } from "../user-data/user-data.ts";

/** Documents stay; in their metadata the users are not named any more. */
export const documentData: UserData = {
  kind: "documents",
  columns: { documents: ["record"] },
  steps: [mentionsIn({ table: "documents", key: ["document_id"], hasBytes: true }, ["documentId"])],
};

import { purgeRowsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";
import { selectAuthoredPage } from "./stored/author-queries.ts";

/**
 * Purges and exports who wrote in collaborative documents. The content stays, because it belongs to everybody who wrote
 * in it; it names its authors only by the IDs of the purged rows.
 */
export const crdtData: UserDataKind = {
  kind: "crdt",
  columns: { crdt_authors: ["user_id"] },
  kept: {
    "crdt_documents.editor_schema": "Names the nodes and marks that editors know.",
    "crdt_documents.record": "Is the shared content.",
    "crdt_documents.state":
      "Is the shared content as a Yjs document, which could no longer merge if it were rewritten.",
    "crdt_updates.yjs_update": "Is a part of the shared content. Yjs names its writers by random numbers.",
    "crdt_versions.name": "Is the name of earlier shared content.",
    "crdt_versions.record": "Is earlier shared content.",
    "crdt_versions.state": "Is earlier shared content as a Yjs document.",
  },
  steps: [purgeRowsStep({ table: "crdt_authors", writtenAt: "written_at" })],
  selectPage: selectAuthoredPage,
};

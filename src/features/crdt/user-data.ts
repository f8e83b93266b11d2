import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Content of collaborative documents stays: it belongs to everybody who wrote in it, and no author is recorded. */
export const crdtData: UserDataKind = {
  kind: "crdt",
  columns: {},
  kept: {
    "crdt_documents.record": "Is the shared content. Its lastUpdatedBy and sessionId are always null.",
    "crdt_documents.state":
      "Is the shared content as a Yjs document, which could no longer merge if it were rewritten.",
    "crdt_updates.yjs_update": "Is a part of the shared content. Yjs names its writers by random numbers.",
    "crdt_versions.name": "Is the name of earlier shared content. No author is recorded.",
    "crdt_versions.record": "Is earlier shared content.",
    "crdt_versions.state": "Is earlier shared content as a Yjs document.",
  },
  steps: [],
};

import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** Content of collaborative editors stays: it belongs to everybody who wrote in it, and no author is recorded. */
export const crdtData: UserDataKind = {
  kind: "crdt",
  columns: {},
  kept: {
    "crdt_editors.record": "Is the shared content. Its lastUpdatedBy and sessionId are always null.",
    "crdt_editors.state": "Is the shared content as a Yjs document, which could no longer merge if it were rewritten.",
  },
  steps: [],
};

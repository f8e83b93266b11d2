import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** Nothing says who wrote what of a collaborative text: it is everybody's who wrote in it. */
export const crdtData: UserDataKind = {
  kind: "crdt",
  columns: {},
  kept: {
    "crdt_editors.record": "the shared content itself; its lastUpdatedBy and sessionId are always null",
    "crdt_editors.state": "the shared content as a Yjs document, which would not merge any more if it were rewritten",
  },
  steps: [],
};

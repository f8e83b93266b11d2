import type { AccessRole } from "../api.generated.ts";
import type { Item } from "../client.ts";
import { LiveList } from "./live-list.ts";
import { type PagesActions, type PagesData, toStore } from "./live-store.ts";
import { getStore, type Session } from "./session.ts";
import type { Store } from "./store.ts";

/** A version of a collaborative document. */
export type Version = Item<"/v2/crdt/versions/list">;

/** The collaborative document whose versions are read. */
export interface VersionsFilter {
  documentId: string;
  editorId: string;
  /** Both kinds by default. */
  kind?: Version["kind"] | undefined;
}

/** The versions of a collaborative document, newest first. */
export interface VersionsData extends PagesData<Version[]> {
  /** Role of the user on the document when the versions were read. Undefined until then. */
  accessRole: AccessRole | undefined;
}

/** A store of the versions of a collaborative document. */
export type VersionsStore = Store<VersionsData> & PagesActions;

const PAGE_SIZE = 50;

const KINDS = new Set(["crdt.versions_update", "crdt.delete"]);

/** Returns the store of the versions of a collaborative document, which it reads again when they change. */
export function versionsStore(session: Session, { documentId, editorId, kind }: VersionsFilter): VersionsStore {
  const scope = { organizationId: session.organizationId, documentId };
  return getStore(session, ["versions", documentId, editorId, kind], (context) => {
    const list = new LiveList<Version>(context, {
      ...{ scope, pageSize: PAGE_SIZE, getId: ({ id }) => id },
      read: ({ call }, page, signal) =>
        call("/v2/crdt/versions/list", { ...scope, editorId, ...(kind && { kind }), ...page }, { signal }),
      apply: ({ data }, event) => (KINDS.has(event.event) && event.subject.editorId === editorId ? "read" : data),
    });
    return toStore(list);
  });
}

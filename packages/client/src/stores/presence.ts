import type { Presence } from "../api.generated.ts";
import { LiveList } from "./live-list.ts";
import { type LiveData, type LiveStore, toStore } from "./live-store.ts";
import { upsertLast } from "./ordered-list.ts";
import { getStore, type Session } from "./session.ts";
import { type PresenceFields, SharedPresence, type SharingConnection } from "./shared-presence.ts";
import { computedStore, memoized, type Store } from "./store.ts";

/** Returns the store of the users of a document. The page itself is in it while the store has a listener. */
export function presenceStore(session: Session, { documentId }: { documentId: string }): LiveStore<Presence[]> {
  const scope = { organizationId: session.organizationId, documentId };
  const getId = ({ userId }: Presence) => userId;
  return getStore(session, ["presence", documentId], (context) =>
    toStore(
      new LiveList<Presence>(context, {
        ...{ scope, getId },
        read: ({ call }, _page, signal) => call("/v2/presence/get", scope, { signal }),
        apply({ data }, event) {
          if (event.event === "presence.delete") return data.filter(({ userId }) => userId !== event.subject.userId);
          return event.event === "presence.update" ? upsertLast(data, event.record, getId) : data;
        },
      }),
    ),
  );
}

/** Another page of the document, with what it shares about its user. */
export interface Other<Data = PresenceFields> {
  userId: string;
  /** Name of the user, once it is known. */
  name: string | undefined;
  /** Distinguishes the pages of a user. */
  connectionId: string;
  data: Data;
}

/**
 * Returns the store of the other pages of a document that share data about their users, such as cursors. Further pages
 * of the user are among them.
 */
export function othersStore<Data = PresenceFields>(
  session: Session,
  { documentId }: { documentId: string },
): LiveStore<Other<Data>[]> {
  const users = presenceStore(session, { documentId });
  const { others } = getSharedPresence(session, documentId);
  return getStore(session, ["others", documentId], () => {
    const addNames = memoized((connections: SharingConnection[], present: Presence[]): Other<Data>[] => {
      const names = new Map(present.map(({ userId, name }) => [userId, name]));
      return connections.map((other) => ({ ...castData<Data>(other), name: names.get(other.userId) }));
    });
    const store = computedStore((read): LiveData<Other<Data>[]> => {
      const state = read(users);
      return { ...state, data: addNames(read(others), state.data) };
    });
    return { ...store, retry: users.retry };
  });
}

/**
 * Store of what this page shares about its user in a document. The data is shared while the store has a listener, and
 * `update` replaces some of its fields.
 */
export type MyPresenceStore<Data> = Store<Partial<Data>> & { update(fields: Partial<Data>): void };

/** Returns the store of what this page shares about its user in a document, which is the same for all of the page. */
export function myPresenceStore<Data extends object = PresenceFields>(
  session: Session,
  { documentId }: { documentId: string },
): MyPresenceStore<Data> {
  return getStore(session, ["myPresence", documentId], () => {
    const { mine, update } = getSharedPresence(session, documentId);
    return castMine<Data>({ ...mine, update });
  });
}

function getSharedPresence(session: Session, documentId: string): SharedPresence {
  const scope = { organizationId: session.organizationId, documentId };
  return getStore(session, ["sharedPresence", documentId], (context) => new SharedPresence(context, scope));
}

/** Casts the data of another page, of which the page must know the fields. */
function castData<Data>(other: SharingConnection): SharingConnection & { data: Data } {
  return other as SharingConnection & { data: Data };
}

/** Casts the fields of this page, which come only from `update`. */
function castMine<Data>(store: unknown): MyPresenceStore<Data> {
  return store as MyPresenceStore<Data>;
}

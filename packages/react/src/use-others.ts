import { useMemo, useSyncExternalStore } from "react";
import { usePresence } from "./hooks.ts";
import { useSession } from "./provider.tsx";
import { getSharedLists } from "./shared-lists.ts";
import { NO_FIELDS, type PresenceFields, type SharedPresence, type SharingConnection } from "./shared-presence.ts";
import type { Live } from "./use-live.ts";

/** Another page of the document, with what it shares about its user. */
export interface Other<Data = PresenceFields> {
  userId: string;
  /** Name of the user, once it is known. */
  name: string | undefined;
  /** Distinguishes the pages of a user. */
  connectionId: string;
  data: Data;
}

const NOBODY: SharingConnection[] = [];

/**
 * Returns the other pages of a document that share data about their users, such as cursors. Further pages of the user
 * are among them.
 */
export function useOthers<Data = PresenceFields>({ documentId }: { documentId: string }): Live<Other<Data>[]> {
  const users = usePresence({ documentId });
  const presence = useSharedPresence(documentId);
  const others = useSyncExternalStore(presence.watch, presence.getOthers, () => NOBODY);
  const data = useMemo(() => {
    const names = new Map(users.data.map(({ userId, name }) => [userId, name]));
    return others.map((other) => ({ ...castData<Data>(other), name: names.get(other.userId) }));
  }, [others, users.data]);
  return { ...users, data };
}

/**
 * Returns what this page shares about its user in a document, and the function that replaces some fields of it. All
 * calls for a document share the same data, until the last component that uses it unmounts.
 */
export function useMyPresence<Data extends object = PresenceFields>({
  documentId,
}: {
  documentId: string;
}): [Partial<Data>, (fields: Partial<Data>) => void] {
  const presence = useSharedPresence(documentId);
  const mine = useSyncExternalStore(presence.share, presence.getMine, () => NO_FIELDS);
  return [castMine<Data>(mine), presence.update];
}

function useSharedPresence(documentId: string): SharedPresence {
  const { client, organizationId } = useSession();
  return useMemo(
    () => getSharedLists(client).getPresence({ organizationId, documentId }),
    [client, organizationId, documentId],
  );
}

/** Casts the data of another page, of which the page must know the fields. */
function castData<Data>(other: SharingConnection): SharingConnection & { data: Data } {
  return other as SharingConnection & { data: Data };
}

/** Casts the fields of this page, which come only from `update`. */
function castMine<Data>(fields: PresenceFields): Partial<Data> {
  return fields as Partial<Data>;
}

import type { StreamEvent } from "../events.ts";
import { INBOX_KINDS } from "./inbox-kinds.ts";
import { type ListPage, LiveList } from "./live-list.ts";
import { type LiveData, type LiveStore, toStore } from "./live-store.ts";
import { getStore, type Session } from "./session.ts";
import type { Scope } from "./shared-stream.ts";
import { computedStore } from "./store.ts";

/** Kinds of the events that may change the number of unread threads. */
const COUNTED_KINDS: readonly StreamEvent["event"][] = [
  "comment_annotation.add",
  "comment_annotation.update",
  "comment_annotation.delete",
  "comment_annotation.read",
  "comment.add",
  "comment.delete",
];

/** Returns the store of the number of threads of a document with comments that the user has not read. */
export function unreadThreadsStore(session: Session, { documentId }: { documentId: string }): LiveStore<number> {
  const { organizationId, userId } = session;
  return countStore(session, ["unreadThreads", documentId], {
    ...{ scope: { organizationId, documentId }, kinds: COUNTED_KINDS },
    async count({ call }, signal) {
      const request = { organizationId, documentIds: [documentId], userId };
      const { data } = await call("/v2/commentannotations/count/get", request, { signal });
      return data[documentId]?.unread ?? 0;
    },
  });
}

/** Returns the store of the number of unread notifications in the inbox. */
export function unreadNotificationsStore(session: Session): LiveStore<number> {
  const { organizationId, userId } = session;
  return countStore(session, ["unreadNotifications"], {
    ...{ scope: { organizationId }, kinds: INBOX_KINDS },
    async count({ call }, signal) {
      const { data } = await call("/v2/notifications/count/get", { organizationId, userIds: [userId] }, { signal });
      return data[userId]?.unread ?? 0;
    },
  });
}

/** What is counted, and the events that may change the number. */
interface Counted {
  scope: Scope;
  kinds: readonly StreamEvent["event"][];
  count(client: Session["client"], signal: AbortSignal): Promise<number>;
}

function countStore(session: Session, key: string[], { scope, kinds, count }: Counted): LiveStore<number> {
  return getStore(session, key, (context) => {
    const list = toStore(
      new LiveList<number>(context, {
        ...{ scope, getId: Number },
        read: async (client, _page, signal): Promise<ListPage<number>> => ({ data: [await count(client, signal)] }),
        apply: ({ data }, { event }) => (kinds.includes(event) ? "read" : data),
      }),
    );
    const store = computedStore((read): LiveData<number> => {
      const { data, isLoading, error, isLive } = read(list);
      return { data: data[0] ?? 0, isLoading, error, isLive };
    });
    return { ...store, retry: list.retry };
  });
}

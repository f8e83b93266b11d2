import type { AccessRole, User } from "../api.generated.ts";
import { LiveList } from "./live-list.ts";
import { type PagesActions, type PagesData, toStore } from "./live-store.ts";
import { optimisticList } from "./optimistic-list.ts";
import { PAGE_SIZE, upsertByTime } from "./ordered-list.ts";
import { getStore, type Session } from "./session.ts";
import { computedStore, memoized, type Store } from "./store.ts";
import { type ThreadActions, threadActions } from "./thread-actions.ts";
import type { ThreadRecord } from "./thread-changes.ts";
import { applyToThreads, THREAD_ORDER, withIndex } from "./thread-events.ts";
import { unreadThreadsStore } from "./unread.ts";
import { usersStore } from "./users.ts";

/** The threads of a document. */
export interface ThreadsData extends PagesData<ThreadRecord[]> {
  /** Role of the user on the document when the threads were read. Undefined until then. */
  accessRole: AccessRole | undefined;
}

/** The threads to follow. */
export interface ThreadsFilter {
  documentId: string;
  /** IDs of the statuses of the threads, such as `OPEN` and `RESOLVED`. All threads by default. */
  statusIds?: string[] | undefined;
  /** IDs of the collaborative documents to which the threads are anchored. All threads by default. */
  anchorEditorIds?: string[] | undefined;
}

/** A store of threads, with what the user can do with them. */
export type ThreadsStore = Store<ThreadsData> & PagesActions & ThreadActions;

/** Returns the store of the threads of a document, newest first. */
export function threadsStore(
  session: Session,
  { documentId, statusIds, anchorEditorIds }: ThreadsFilter,
): ThreadsStore {
  const { client, organizationId, userId } = session;
  const scope = { organizationId, documentId };
  const isShown = ({ status, anchor }: ThreadRecord) =>
    (!statusIds || statusIds.includes(status.id)) &&
    (!anchorEditorIds || (anchor != null && "editorId" in anchor && anchorEditorIds.includes(anchor.editorId)));
  return getStore(session, ["threads", documentId, statusIds, anchorEditorIds], (context) => {
    const list = toStore(
      new LiveList<ThreadRecord>(context, {
        ...{ scope, pageSize: PAGE_SIZE, getId: THREAD_ORDER.getId },
        async read({ call }, page, signal) {
          const request = { ...scope, statusIds, anchorEditorIds, ...page };
          const { data, ...response } = await call("/v2/commentannotations/get", request, { signal });
          return { ...response, data: Array.isArray(data) ? data.filter((thread) => thread !== null) : [] };
        },
        apply: (threads, event) => applyToThreads(threads, event, isShown),
      }),
    );
    const threads = optimisticList(list, {
      client,
      getId: THREAD_ORDER.getId,
      add: (state, thread) => upsertByTime(state, thread, THREAD_ORDER),
      isShown,
    });
    const addIndexes = memoized((records: ThreadRecord[]) => records.map(withIndex));
    const store = computedStore((read) => {
      const state = read(threads);
      return { ...state, data: addIndexes(state.data) };
    });
    const getAuthor = (): User => {
      const comments = threads.getState().data.flatMap((thread) => thread.comments);
      const written = comments.find(({ from }) => from.userId === userId && from.name !== undefined);
      const name = usersStore(session).getState().get(userId)?.name ?? written?.from.name;
      return { userId, ...(name !== undefined && { name }) };
    };
    const unread = unreadThreadsStore(session, { documentId });
    return { ...list, ...store, ...threadActions({ call: client.call, scope, threads, unread, getAuthor }) };
  });
}

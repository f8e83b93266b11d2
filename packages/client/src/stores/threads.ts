import type { AccessRole, CommentAnnotation } from "../api.generated.ts";
import { LiveList } from "./live-list.ts";
import { type PagesActions, type PagesData, toStore } from "./live-store.ts";
import { PAGE_SIZE } from "./places.ts";
import { repeatableCall } from "./repeatable-call.ts";
import { getStore, type Session } from "./session.ts";
import { computedStore, memoized, type Store } from "./store.ts";
import { type ThreadActions, threadActions } from "./thread-actions.ts";
import { applyToThreads, THREADS, withIndex } from "./thread-events.ts";

/** The threads of a document. */
export interface ThreadsData extends PagesData<CommentAnnotation[]> {
  /** Role of the user on the document when the threads were read. Undefined until then. */
  accessRole: AccessRole | undefined;
}

/** The threads to follow. */
export interface ThreadsFilter {
  documentId: string;
  /** IDs of the statuses of the threads, such as `OPEN` and `RESOLVED`. All threads by default. */
  statusIds?: string[] | undefined;
}

/** A store of threads, with what the user can do with them. */
export type ThreadsStore = Store<ThreadsData> & PagesActions & ThreadActions;

/** Returns the store of the threads of a document, newest first. */
export function threadsStore(session: Session, { documentId, statusIds }: ThreadsFilter): ThreadsStore {
  const { organizationId, userId } = session;
  const scope = { organizationId, documentId };
  return getStore(session, ["threads", documentId, statusIds], (context) => {
    const list = toStore(
      new LiveList<CommentAnnotation>(context, {
        ...{ scope, pageSize: PAGE_SIZE, getId: THREADS.getId },
        async read({ call }, page, signal) {
          const request = { ...scope, statusIds, ...page };
          const { data, ...response } = await call("/v2/commentannotations/get", request, { signal });
          return { ...response, data: Array.isArray(data) ? data.filter((thread) => thread !== null) : [] };
        },
        apply: (threads, event) => applyToThreads(threads, event, statusIds),
      }),
    );
    const addIndexes = memoized((threads: CommentAnnotation[]) => threads.map(withIndex));
    const store = computedStore((read) => {
      const state = read(list);
      return { ...state, data: addIndexes(state.data) };
    });
    return { ...list, ...store, ...threadActions(repeatableCall(context.client), scope, userId) };
  });
}

import type { Activity, Presence } from "@colloquy/client";
import {
  type ActivitiesFilter,
  activitiesStore,
  type InboxOptions,
  inboxStore,
  type LiveStateRef,
  liveStateStore,
  type Preferences,
  type PreferencesFilter,
  preferencesStore,
  presenceStore,
  type Store,
  type ThreadsFilter,
  threadsStore,
  type Unread,
  unreadStore,
} from "@colloquy/client/stores";
import type { InboxState, LiveStateState, PreferencesState, ThreadsState } from "./hooks.ts";
import { useSession } from "./provider.tsx";
import { type Live, type LivePages, useStore } from "./use-store.ts";

export { ErrorBoundary, type ErrorBoundaryProps } from "./error-boundary.tsx";

/** State of a store that a component can wait for. */
interface Loadable {
  isLoading: boolean;
  error: Error | undefined;
}

/** Time for which a store stays in use until the component that has waited for it is shown, in milliseconds. */
const KEEP_MS = 5_000;
const loading = new WeakMap<object, Promise<void>>();

/** Returns a promise that resolves once a store has read its records, or has failed. */
function whenLoaded(store: Store<Loadable>): Promise<void> {
  const known = loading.get(store);
  if (known) return known;
  const loaded = new Promise<void>((resolve) => {
    const stop = store.subscribe(({ isLoading }) => {
      if (isLoading) return;
      resolve();
      loading.delete(store);
      setTimeout(() => stop(), KEEP_MS);
    });
  });
  loading.set(store, loaded);
  return loaded;
}

/** Returns the state of a store once it is read. Suspends the component until then, and throws its error. */
function useLoaded<State extends Loadable, Actions extends object>(store: Store<State> & Actions) {
  const state = useStore(store);
  const { isLoading, error } = store.getState();
  if (error) throw error;
  if (!isLoading) return state;
  if (!("document" in globalThis)) {
    throw new Error("The server has no initialData for a hook that suspends. The browser renders the component.");
  }
  throw whenLoaded(store);
}

/** Returns the newest activities of a document, or of all documents that the user may read, newest first. */
export function useActivities(filter?: ActivitiesFilter): LivePages<Activity[]> {
  return useLoaded(activitiesStore(useSession(), filter));
}

/** Returns the inbox of the user, or the archive, newest first. */
export function useInbox(options?: InboxOptions): InboxState {
  return useLoaded(inboxStore(useSession(), options));
}

/** Returns the threads of a document, newest first. */
export function useThreads(filter: ThreadsFilter): ThreadsState {
  return useLoaded(threadsStore(useSession(), filter));
}

/** Returns the users of a document. The page itself is in it while it is open. */
export function usePresence({ documentId }: { documentId: string }): Live<Presence[]> {
  return useLoaded(presenceStore(useSession(), { documentId }));
}

/** Returns how much the user has not read, in the inbox and, with `documentId`, in a document. */
export function useUnread({ documentId }: { documentId?: string | undefined } = {}): Live<Unread> {
  return useLoaded(unreadStore(useSession(), { documentId }));
}

/** Returns what the user wants to be notified of in a document, or in the organization. */
export function usePreferences(filter?: PreferencesFilter): PreferencesState & { data: Preferences } {
  const state = useLoaded(preferencesStore(useSession(), filter));
  const { data } = state;
  if (!data) throw new Error("The service has returned no preferences.");
  return { ...state, data };
}

/** Returns a JSON object that the web pages of a document share, and that is kept until it is replaced. */
export function useLiveState<Data extends object = { [field: string]: unknown }>(
  ref: LiveStateRef,
): LiveStateState<Data> {
  return useLoaded(liveStateStore<Data>(useSession(), ref));
}

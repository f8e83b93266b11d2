import type { Activity, Presence } from "@colloquy/client";
import {
  type ActivitiesFilter,
  activitiesStore,
  type InboxActions,
  type InboxData,
  type InboxOptions,
  inboxStore,
  type LiveActions,
  type LiveData,
  type LiveStateActions,
  type LiveStateRef,
  liveStateStore,
  myPresenceStore,
  type Other,
  othersStore,
  type PagesActions,
  type PreferenceChanges,
  type Preferences,
  type PreferencesFilter,
  type PresenceFields,
  preferencesStore,
  presenceStore,
  type ThreadActions,
  type ThreadsData,
  type ThreadsFilter,
  threadsStore,
  type Unread,
  type UnreadThreadsData,
  unreadStore,
  unreadThreadsStore,
} from "@colloquy/client/stores";
import { useSyncExternalStore } from "react";
import { useSession } from "./provider.tsx";
import { type Live, type LivePages, useStore } from "./use-store.ts";

/** Returns the newest activities of a document, or of all documents that the user may read, newest first. */
export function useActivities(filter?: ActivitiesFilter): LivePages<Activity[]> {
  return useStore(activitiesStore(useSession(), filter));
}

/** The inbox of the user, and what the user can do with it. */
export interface InboxState extends InboxData, PagesActions, InboxActions {}

/** Returns the inbox of the user, or the archive, newest first. */
export function useInbox(options?: InboxOptions): InboxState {
  return useStore(inboxStore(useSession(), options));
}

/** The threads of a document, and what the user can do with them. */
export interface ThreadsState extends ThreadsData, PagesActions, ThreadActions {}

/** Returns the threads of a document, newest first. */
export function useThreads(filter: ThreadsFilter): ThreadsState {
  return useStore(threadsStore(useSession(), filter));
}

/** The number of unread threads, and which they are. */
export interface UnreadThreadsState extends UnreadThreadsData, LiveActions {}

/** Returns the number of threads of a document with comments that the user has not read, and their IDs. */
export function useUnreadThreads({ documentId }: { documentId: string }): UnreadThreadsState {
  return useStore(unreadThreadsStore(useSession(), { documentId }));
}

/** Returns the users of a document. The page itself is in it while it is open. */
export function usePresence({ documentId }: { documentId: string }): Live<Presence[]> {
  return useStore(presenceStore(useSession(), { documentId }));
}

/** Returns how much the user has not read, in the inbox and, with `documentId`, in a document. */
export function useUnread({ documentId }: { documentId?: string | undefined } = {}): Live<Unread> {
  return useStore(unreadStore(useSession(), { documentId }));
}

/** The preferences of the user, and the function that changes them. `data` is undefined until they are read. */
export interface PreferencesState extends Live<Preferences | undefined> {
  /** Changes the preferences of some channels, which is shown at once. Throws if the service rejects it. */
  set(changes: PreferenceChanges): Promise<void>;
}

/** Returns what the user wants to be notified of in a document, or in the organization. */
export function usePreferences(filter?: PreferencesFilter): PreferencesState {
  return useStore(preferencesStore(useSession(), filter));
}

/** A live state of a document, and the functions that change it. `data` is undefined if there is none. */
export interface LiveStateState<Data> extends LiveData<Data | undefined>, LiveStateActions<Data> {}

/** Returns a JSON object that the web pages of a document share, and that is kept until it is replaced. */
export function useLiveState<Data extends object = { [field: string]: unknown }>(
  ref: LiveStateRef,
): LiveStateState<Data> {
  return useStore(liveStateStore<Data>(useSession(), ref));
}

/**
 * Returns the other pages of a document that share data about their users, such as cursors. Further pages of the user
 * are among them.
 */
export function useOthers<Data = PresenceFields>({ documentId }: { documentId: string }): Live<Other<Data>[]> {
  return useStore(othersStore<Data>(useSession(), { documentId }));
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
  const { subscribe, getState, update } = myPresenceStore<Data>(useSession(), { documentId });
  return [useSyncExternalStore(subscribe, getState, getState), update];
}

export { type ActivitiesFilter, activitiesStore } from "./activities.ts";
export { asError } from "./as-error.ts";
export { type CommentFilesStore, type CommentRef, commentFilesStore } from "./comment-files.ts";
export { type InboxActions, type InboxData, type InboxOptions, type InboxStore, inboxStore } from "./inbox.ts";
export { type LiveStateActions, type LiveStateRef, type LiveStateStore, liveStateStore } from "./live-states.ts";
export type {
  LiveActions,
  LiveData,
  LiveStore,
  PagesActions,
  PagesData,
  PagesStore,
} from "./live-store.ts";
export { getPermittedActions, includesRole, type PermittedActions } from "./permitted-actions.ts";
export {
  type PreferenceChanges,
  type Preferences,
  type PreferencesFilter,
  type PreferencesStore,
  preferencesStore,
} from "./preferences.ts";
export { type MyPresenceStore, myPresenceStore, type Other, othersStore, presenceStore } from "./presence.ts";
export { matchesName } from "./search-directory.ts";
export {
  type InitialData,
  inspectStores,
  readInitialData,
  retryFailed,
  type Session,
  setInitialData,
} from "./session.ts";
export type { PresenceFields } from "./shared-presence.ts";
export { computedStore, type Store } from "./store.ts";
export type { CommentOptions, Mention, ThreadActions, ThreadOptions } from "./thread-actions.ts";
export type { CommentRecord, ThreadRecord } from "./thread-changes.ts";
export { type ThreadsData, type ThreadsFilter, type ThreadsStore, threadsStore } from "./threads.ts";
export {
  type CountStore,
  type Unread,
  type UnreadThreadsData,
  type UnreadThreadsStore,
  unreadNotificationsStore,
  unreadStore,
  unreadThreadsStore,
} from "./unread.ts";
export type { UserDirectory, UserProfile, UserSearchOptions } from "./user-directory.ts";
export { findUsers, type UsersStore, usersStore } from "./users.ts";
export { type Version, type VersionsData, type VersionsFilter, type VersionsStore, versionsStore } from "./versions.ts";

export type {
  CommentOptions,
  InboxOptions,
  LiveStateRef,
  Mention,
  Other,
  PreferenceChanges,
  Preferences as PreferenceValues,
  PreferencesFilter,
  ThreadOptions,
  ThreadsFilter,
  Unread,
  UserDirectory,
  UserProfile,
  UserSearchOptions,
} from "@colloquy/client/stores";
export { ActivityFeed, type ActivityFeedProps } from "./activity-feed.tsx";
export type { Attachment } from "./attachment.ts";
export { Avatars, type AvatarsProps } from "./avatars.tsx";
export type { CommentSlot } from "./comment-item.tsx";
export { CommentText, type CommentTextProps } from "./comment-text.tsx";
export { type ComposedComment, Composer, type ComposerHandle, type ComposerProps } from "./composer.tsx";
export { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog.tsx";
export { Cursors, type CursorsProps } from "./cursors.tsx";
export {
  type InboxState,
  type LiveStateState,
  type PreferencesState,
  type ThreadsState,
  type UnreadThreadsState,
  useActivities,
  useInbox,
  useLiveState,
  useMyPresence,
  useOthers,
  usePreferences,
  usePresence,
  useThreads,
  useUnread,
  useUnreadThreads,
} from "./hooks.ts";
export { Inbox, type InboxProps, type InboxTab } from "./inbox.tsx";
export { InboxButton } from "./inbox-button.tsx";
export type { LinkProps } from "./item-text.tsx";
export type { LanguageTexts, MessageKey, Texts } from "./language-texts.ts";
export { Pins, type PinsProps } from "./pins.tsx";
export { Preferences, type PreferencesProps } from "./preferences.tsx";
export { ColloquyProvider, type ColloquyProviderProps, type Session, useSession } from "./provider.tsx";
export { TextsProvider, type TextsProviderProps, useTexts } from "./texts.tsx";
export { Thread, type ThreadProps, type ThreadSlots } from "./thread.tsx";
export type { GetPosition, ThreadOrder, ThreadStatus, ThreadView, ThreadViewFilter } from "./thread-view.ts";
export { Threads, type ThreadsProps } from "./threads.tsx";
export type { Live, LivePages } from "./use-store.ts";
export type { Upload } from "./use-uploads.ts";
export { type UserSearch, useUserSearch, useUsers } from "./use-users.ts";
export {
  useVersions,
  type Version,
  type VersionChange,
  type VersionsOptions,
  type VersionsState,
} from "./use-versions.ts";
export { Versions, type VersionsProps } from "./versions.tsx";

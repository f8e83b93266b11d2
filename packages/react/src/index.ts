export type {
  CommentOptions,
  InboxOptions,
  Other,
  ThreadOptions,
  ThreadsFilter,
  UserDirectory,
  UserProfile,
  UserSearchPlace,
} from "@colloquy/client/stores";
export { ActivityFeed, type ActivityFeedProps } from "./activity-feed.tsx";
export { Avatars, type AvatarsProps } from "./avatars.tsx";
export {
  type InboxState,
  type ThreadsState,
  useActivities,
  useInbox,
  useMyPresence,
  useOthers,
  usePresence,
  useThreads,
  useUnreadThreads,
} from "./hooks.ts";
export { Inbox, type InboxProps, type InboxTab } from "./inbox.tsx";
export { InboxButton } from "./inbox-button.tsx";
export type { Selection } from "./item-text.tsx";
export type { LanguageTexts, MessageKey, Texts } from "./language-texts.ts";
export { ColloquyProvider, type Session, useSession } from "./provider.tsx";
export { TextsProvider, type TextsProviderProps, useTexts } from "./texts.tsx";
export { Thread, type ThreadProps } from "./thread.tsx";
export type { Live, LivePages } from "./use-store.ts";
export { type UserSearch, useUserSearch, useUsers } from "./use-users.ts";

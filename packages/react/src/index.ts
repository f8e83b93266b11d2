export { ActivityFeed, type ActivityFeedProps, Avatars, type AvatarsProps } from "./components.tsx";
export {
  type InboxState,
  type ThreadsState,
  useActivities,
  useInbox,
  usePresence,
  useThreads,
} from "./hooks.ts";
export { Inbox, type InboxProps } from "./inbox.tsx";
export { ColloquyProvider, type Session, useSession } from "./provider.tsx";
export { Thread, type ThreadProps } from "./thread.tsx";
export type { Live, LivePages } from "./use-live.ts";

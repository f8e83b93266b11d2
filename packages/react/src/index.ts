export { ActivityFeed, type ActivityFeedProps, Avatars, type AvatarsProps } from "./components.tsx";
export { useActivities, usePresence } from "./hooks.ts";
export { Inbox, type InboxProps } from "./inbox.tsx";
export { ColloquyProvider, type Session, useSession } from "./provider.tsx";
export { Thread, type ThreadProps } from "./thread.tsx";
export { type InboxState, useInbox } from "./use-inbox.ts";
export type { Live, LivePages } from "./use-live.ts";
export { type ThreadsState, useThreads } from "./use-threads.ts";

export { ActivityFeed, Avatars } from "./components.tsx";
export {
  type InboxState,
  type ThreadsState,
  useActivities,
  useInbox,
  usePresence,
  useThreads,
} from "./hooks.ts";
export { Inbox } from "./inbox.tsx";
export { ColloquyProvider, type Session, useSession } from "./provider.tsx";
export { Thread } from "./thread.tsx";
export type { Live, LivePages } from "./use-live.ts";

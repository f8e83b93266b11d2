export { ActivityFeed, Avatars, Inbox, Thread } from "./components.tsx";
export {
  type Activity,
  type Comment,
  type InboxState,
  type Notification,
  type PresentUser,
  type Thread as ThreadRecord,
  type ThreadsState,
  useActivities,
  useInbox,
  usePresence,
  useThreads,
} from "./hooks.ts";
export { ColloquyProvider, type Session, useSession } from "./provider.tsx";
export type { Live } from "./use-live.ts";

import type { Message } from "./stream.ts";

/** What one member follows. An empty one stands for the whole organization. */
export interface Subscription {
  documentIds: string[];
  inbox: boolean;
  /** Whether it follows the activities of all documents. */
  activities: boolean;
  /** Whether it follows what pages share about their users in the documents. */
  presenceData: boolean;
}

/** What tabs send each other; `from` is the member that sends. */
export type TabMessage = { from: string } & (
  | { type: "subscribe"; subscription: Subscription }
  /** A member leads from now on. The others subscribe again. */
  | { type: "lead" }
  /** The leader has received a subscription. */
  | { type: "alive" }
  /** The stream of these members is open. It has all messages after the cursor. */
  | { type: "open"; members: string[]; cursor: string }
  | { type: "connecting" }
  | { type: "message"; message: Message }
  /** The service rejects the stream, because of the subscription of one of its members. */
  | { type: "rejected" }
  /** The stream has no room for these members. */
  | { type: "full"; members: string[] }
);

/** A member of the tabs that share a stream. Only members of one user, organization and service have its name. */
export interface Member {
  /** Name of the lock of the leader, and of the channel. */
  name: string;
  id: string;
  subscription: Subscription;
}

/** Returns the name of the lock that a member holds as long as it is there. */
export function getLockName({ name }: Pick<Member, "name">, id: string): string {
  return `${name} ${id}`;
}

/** Requests a lock, and holds it until the work is done. Throws if the signal is aborted before, or it is stolen. */
export async function withLock(
  name: string,
  options: { signal: AbortSignal } | { steal: true },
  work: () => unknown,
): Promise<void> {
  await navigator.locks.request(name, options, async () => void (await work()));
}

import { type Message, PRESENCE_DATA } from "./stream.ts";
import type { Subscription } from "./tab-messages.ts";

/** Number of the last events that are remembered, so that none is delivered twice when the leader changes. */
const MAX_SEEN = 1_000;

/** Events that change inboxes, in whichever document. */
export const INBOX_KINDS: readonly string[] = [
  "notification.add",
  "notification.update",
  "notification.delete",
  "comment_annotation.delete",
  "document.delete",
];

/** Events that change the activities of an organization, in whichever document. */
export const ACTIVITY_KINDS: readonly string[] = [
  "activity.add",
  "activity.update",
  "activity.delete",
  "document.delete",
];

/** Selects the events for one member from those for all, each once. */
export class TabSelection {
  readonly #subscription: Subscription;
  readonly #seen = new Set<string>();

  constructor(subscription: Subscription) {
    this.#subscription = subscription;
  }

  /** Remembers that the member has the event with this cursor. */
  remember(cursor: string): void {
    this.#seen.add(cursor);
    if (this.#seen.size > MAX_SEEN) for (const oldest of this.#seen) return void this.#seen.delete(oldest);
  }

  /** Returns whether a message has an event for the member that it has not received yet. */
  isNew({ cursor, event, data = "{}" }: Message): boolean {
    if (event === undefined) return false;
    const { documentIds, inbox, activities, presenceData } = this.#subscription;
    const { documentId } = JSON.parse(data);
    const isHere = documentIds.includes(documentId);
    if (event === PRESENCE_DATA) return presenceData && isHere;
    const isForAll = documentId === undefined || (documentIds.length === 0 && !inbox && !activities);
    const kinds = [...(inbox ? INBOX_KINDS : []), ...(activities ? ACTIVITY_KINDS : [])];
    if (!isHere && !isForAll && !kinds.includes(event)) return false;
    return !this.#seen.has(cursor);
  }
}

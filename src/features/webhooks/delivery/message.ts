import type { WebhookEvent } from "../payloads/event.ts";

/** Name of the message about a message that has failed for good. */
export const EXHAUSTED = "message.attempt.exhausted";

/** What a message about a failed message reports. */
export interface ExhaustedEvent extends Pick<WebhookEvent, "organizationId" | "documentId"> {
  kind: typeof EXHAUSTED;
  /** The message that has failed. */
  subject: { webhookId: string; endpointId: string; event: string };
}

/** Name of the message that tries an endpoint out. */
export const TEST = "message.test";

/** A message that is about no event; the organization has an empty ID. */
export interface TestEvent extends Pick<WebhookEvent, "organizationId" | "documentId"> {
  kind: typeof TEST;
  subject: { endpointId: string };
}

export type MessageSubject = WebhookEvent | ExhaustedEvent | TestEvent;

/** Returns whether a message is about an event of the log, and not about messages. */
export function isOfLog(event: MessageSubject): event is WebhookEvent {
  return event.kind !== EXHAUSTED && event.kind !== TEST;
}

/** One attempt to send a message. */
export interface Attempt {
  /** Milliseconds since the epoch. */
  attemptedAt: number;
  latencyMs: number;
  /** HTTP status; null if there was no response. */
  httpStatus: number | null;
  /** The first 2 KiB of the response. */
  response: string;
  /** Why there was no response; null if there was one. */
  error: string | null;
}

/** Delays before the attempts, each after the failure of the previous one. */
const ATTEMPT_DELAYS_MS = [0, 5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600].map((s) => s * 1000);

/** Returns the delay before the next attempt; undefined if the message has failed for good. */
export function retryDelayMs(failures: number): number | undefined {
  return ATTEMPT_DELAYS_MS[failures];
}

export function isDelivered({ httpStatus }: Attempt): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

import type { OrganizationKey } from "../database/keys.ts";
import type { PresenceSharing, UnloggedEvent } from "./presence-sharing.ts";

/**
 * Time after which a check of access is certain to notice a change, in milliseconds. The roles of users are cached for
 * half a second, so an earlier check might find what was.
 */
export const ACCESS_CHECK_MS = 600;

/** What readers of the event log need of the service. */
export interface EventReading {
  /** For how long events are kept, in milliseconds. */
  retentionMs: number;
  /** Extends the time until which the log of a workspace is written, within a small part of the retention. */
  extendLogSoon(workspaceId: string): void;
  /** Begins to wait for new events of an organization that a user or, without one, a backend gets. */
  subscribe(organizationKey: OrganizationKey, interest: EventInterest): EventSubscription;
  /** What pages share about their users in documents, which the log does not have. */
  presence: PresenceSharing;
  /** Time within which all processes write the events of a workspace to which somebody begins to listen. */
  startMs: number;
  /** Returns an opaque text for a position in the log of an organization. */
  signCursor(workspaceId: string, organizationId: string, position: unknown): string;
  /** Returns the position, or undefined if the text was not made for this organization. */
  verifyCursor(workspaceId: string, organizationId: string, cursor: string): unknown;
}

/** The events that a reader waits for: of some documents or kinds, if they are given. */
export interface EventInterest {
  /** None, without `inbox` and `activities`, stands for all events of the organization. */
  documentIds: readonly string[];
  /** Whether the reader gets what changes the inbox of the user, in whichever document. */
  inbox: boolean;
  /** Whether the reader gets the activities of all documents that it may read. */
  activities: boolean;
  kinds?: readonly string[] | undefined;
  /** The user who reads; undefined for a backend. */
  userId: string | undefined;
}

/** An event as the log has it. */
export interface LoggedEvent {
  position: number;
  kind: string;
  documentId: string | null;
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** IDs of what has changed. */
  subject: Readonly<Record<string, string | number>>;
  audience: string;
  /** The user whom it concerns, with the audience `user`; otherwise the acting user, if known. */
  userId: string | null;
  /** Whether users need a pair of an access context. */
  hasContext: boolean;
}

/**
 * Why a wait for events has ended, and the position until which there are no others for the caller. Without the events,
 * a caller that is `behind` reads the log; at `accessCheckDue` its access may have ended.
 */
export type Wakeup =
  | { reason: "events"; position: number; events: readonly LoggedEvent[] }
  | { reason: "behind" | "accessCheckDue" | "timeout" | "ended"; position: number };

/**
 * Waits for new events of an organization. Takes a callback instead of returning a promise: ten thousand waiting
 * streams keep no suspended functions, each of which takes half a kilobyte.
 */
export interface EventSubscription {
  /** Calls `wake` once, when there is something to take after a position that the caller has read, or in time. */
  wait(position: number, waitMs: number, wake: () => void): void;
  /** Ends the wait, as if its time were over, unless there is something to take. */
  wake(): void;
  /** Returns why the wait has ended. */
  take(): Wakeup;
  /** Lets the caller wait no more. */
  end(): void;
}

/** A step of a caller that follows the log: a page with the events and the cursor from which to read on. */
export interface EventStep<EventPage> {
  reason: "events" | "unlogged" | "accessCheckDue" | "timeout" | "ended";
  page: EventPage;
  /** Events of a step that is `unlogged`, whose page has none. */
  unlogged?: readonly UnloggedEvent[];
}

/** Follows the log of an organization for a caller. */
export interface EventFollower<EventPage> {
  /** Returns what there is for the caller; undefined if it must wait. */
  next(): Promise<EventStep<EventPage> | undefined>;
  /** Calls `wake` once, when there may be something or the time is over. Then `next` says what. */
  wait(waitMs: number, wake: () => void): void;
  /** Returns a page without events, with the cursor from which to read on. */
  emptyPage(): EventPage;
  end(): void;
}

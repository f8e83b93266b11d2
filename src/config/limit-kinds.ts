import { LIMITS, RECORD_LIMITS } from "./limits.ts";

/** A limit whose excess a caller is told by an error of its own. */
interface LimitOfCallers {
  /** What is limited, and for whom. */
  what: string;
  limit: string;
  reason: "rate_limited" | "too_many_streams" | "overloaded" | "limit_reached";
}

const MIB = 1024 * 1024;
const { loginLinksOfAddress, loginLinksOfClient } = RECORD_LIMITS;
const { streams, authenticatedSockets, unauthenticatedSockets, wrongCredentials, bodies, unsentResponses } = LIMITS;

function number(count: number): string {
  return count.toLocaleString("en");
}

function mebibytes(bytes: number): string {
  return `${number(bytes / MIB)} MiB`;
}

/**
 * Every limit that a caller may meet, by its kind, which is `details.limit` of the error and a label of the metrics.
 * The documentation is generated from it.
 */
export const LIMIT_KINDS = {
  requests: {
    what: "requests per second of a workspace",
    limit: "`REQUESTS_PER_SECOND`, in a burst as many",
    reason: "rate_limited",
  },
  user_requests: {
    what: "requests per second of a user",
    limit: "a tenth of `REQUESTS_PER_SECOND`, in a burst half of it",
    reason: "rate_limited",
  },
  user_writes: {
    what: "records per second that a user writes, for each kind (the part of the path after the version)",
    limit: "`USER_WRITES_PER_SECOND`, in a burst `USER_WRITE_BURST`",
    reason: "rate_limited",
  },
  wrong_credentials: {
    what: "requests per second with wrong credentials from an address (for IPv6, its first 64 bits)",
    limit: `${wrongCredentials.perSecond}, in a burst ${wrongCredentials.burst}`,
    reason: "rate_limited",
  },
  login_links: {
    what: "login links in 15 minutes",
    limit: `${loginLinksOfAddress} to an email address, ${loginLinksOfClient} from an address`,
    reason: "rate_limited",
  },
  test_mails: { what: "test mails of a workspace at the same time", limit: "1", reason: "rate_limited" },
  event_streams: {
    what: "event streams and requests that wait for events, of a process",
    limit: `${number(streams.maxOfWorkspace)} of a workspace, ${streams.maxOfUser} of a user`,
    reason: "too_many_streams",
  },
  sockets: {
    what: "WebSockets of a user at a process",
    limit: `${authenticatedSockets.maxOfUser}`,
    reason: "rate_limited",
  },
  unauthenticated_sockets: {
    what: "WebSockets of an address at a process that have sent no valid token",
    limit: `${unauthenticatedSockets.maxOfClient}`,
    reason: "rate_limited",
  },
  requests_in_progress: {
    what: "requests in progress at a process",
    limit:
      "`MAX_CONCURRENT_REQUESTS`: half for a workspace and a tenth for a caller while others wait, and never more than " +
      "a tenth for a user",
    reason: "overloaded",
  },
  bodies: {
    what: "bodies that are read at the same time, of all processes",
    limit:
      `${mebibytes(bodies.maxBytes)}: half for a workspace, 3/8 for a caller, 1/10 for a user (12 MiB at least, ` +
      "but no more than for a caller), 1/256 for an address without credentials",
    reason: "overloaded",
  },
  unread_responses: {
    what: "responses of more than 64 KiB that are not read, of all processes",
    limit: `${mebibytes(unsentResponses.maxBytes)}, in the parts of bodies`,
    reason: "overloaded",
  },
  database: {
    what: "statements that run at the same time, of a process",
    limit: "`DATABASE_POOL_MAX`, in the parts of requests in progress, for a user at least 2",
    reason: "overloaded",
  },
  annotations: {
    what: "annotations in a document",
    limit: number(RECORD_LIMITS.annotations),
    reason: "limit_reached",
  },
  annotation_size: {
    what: "an annotation with its comments",
    limit: mebibytes(RECORD_LIMITS.annotationBytes),
    reason: "limit_reached",
  },
  editors: {
    what: "collaborative documents in a document",
    limit: number(RECORD_LIMITS.editors),
    reason: "limit_reached",
  },
  versions: {
    what: "versions of a collaborative document",
    limit: `${RECORD_LIMITS.versions}, of ${mebibytes(RECORD_LIMITS.versionBytes)} together`,
    reason: "limit_reached",
  },
  live_states: { what: "live states in a document", limit: `${RECORD_LIMITS.liveStates}`, reason: "limit_reached" },
  live_state_size: { what: "a live state that is merged", limit: "64 KiB as JSON text", reason: "limit_reached" },
  folders: { what: "folders in an organization", limit: number(RECORD_LIMITS.folders), reason: "limit_reached" },
  auth_tokens: { what: "auth tokens of a workspace", limit: number(RECORD_LIMITS.authTokens), reason: "limit_reached" },
  webhook_endpoints: {
    what: "webhook endpoints of a workspace",
    limit: number(RECORD_LIMITS.webhookEndpoints),
    reason: "limit_reached",
  },
} as const satisfies Record<string, LimitOfCallers>;

export type LimitKind = keyof typeof LIMIT_KINDS;

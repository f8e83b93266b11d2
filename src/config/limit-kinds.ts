import { LIMITS, RECORD_LIMITS, REQUEST_LIMITS, USER_LISTS } from "./limits.ts";

/** What a caller may not exceed. */
interface Limited {
  /** What is limited. */
  what: string;
  /** The most, and for whom. */
  most: string;
}

/** A limit whose excess has an error of its own. */
interface LimitOfCallers extends Limited {
  reason: "rate_limited" | "too_many_streams" | "overloaded" | "limit_reached";
}

const KIB = 1024;
const MIB = 1024 * KIB;
const { streams, authenticatedSockets, unauthenticatedSockets, wrongCredentials, bodies, unsentResponses } = LIMITS;
const records = RECORD_LIMITS;

function number(count: number): string {
  return count.toLocaleString("en");
}

function size(bytes: number): string {
  return bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`;
}

/**
 * Every limit that a caller may meet by what it has sent before, or what is stored. The name of a limit is
 * `details.limit` of the error and a label of the metrics. The documentation is generated from it.
 */
export const LIMIT_KINDS = {
  requests: {
    what: "requests per second",
    most: "`REQUESTS_PER_SECOND` for a workspace, and in a burst as many",
    reason: "rate_limited",
  },
  user_requests: {
    what: "requests per second of a user",
    most: "a tenth of `REQUESTS_PER_SECOND`, in a burst half of it",
    reason: "rate_limited",
  },
  user_writes: {
    what: "records of a kind that a user writes per second",
    most: "`USER_WRITES_PER_SECOND`, in a burst `USER_WRITE_BURST`",
    reason: "rate_limited",
  },
  wrong_credentials: {
    what: "requests per second with wrong credentials",
    most: `${wrongCredentials.perSecond} for an address, in a burst ${wrongCredentials.burst}`,
    reason: "rate_limited",
  },
  login_links: {
    what: "login links in 15 minutes",
    most: `${records.loginLinksOfAddress} for an email address, ${records.loginLinksOfClient} for an address`,
    reason: "rate_limited",
  },
  test_mails: { what: "test mails at the same time", most: "1 for a workspace", reason: "rate_limited" },
  event_streams: {
    what: "event streams and requests that wait for events, at a process",
    most: `${number(streams.maxOfWorkspace)} for a workspace, ${streams.maxOfUser} for a user`,
    reason: "too_many_streams",
  },
  sockets: {
    what: "WebSockets at a process",
    most: `${authenticatedSockets.maxOfUser} for a user`,
    reason: "rate_limited",
  },
  unauthenticated_sockets: {
    what: "WebSockets at a process that have sent no valid token",
    most: `${unauthenticatedSockets.maxOfClient} for an address`,
    reason: "rate_limited",
  },
  requests_in_progress: {
    what: "requests in progress at a process",
    most:
      "`MAX_CONCURRENT_REQUESTS`: half for a workspace and a tenth for a caller while others wait, a tenth for a " +
      "user in any case",
    reason: "overloaded",
  },
  database: {
    what: "statements that run at the same time, at a process",
    most: "`DATABASE_POOL_MAX`, in the same parts, but at least 2 for a user",
    reason: "overloaded",
  },
  bodies: {
    what: "bodies that are read at the same time",
    most:
      `${size(bodies.maxBytes)}: half for a workspace, 3/8 for a caller, 1/10 for a user (or 12 MiB, but no more ` +
      "than for a caller), 1/256 for an address without credentials",
    reason: "overloaded",
  },
  unread_responses: {
    what: "responses of more than 64 KiB that are not read",
    most: `${size(unsentResponses.maxBytes)}, in the same parts`,
    reason: "overloaded",
  },
  annotations: { what: "annotations", most: `${number(records.annotations)} in a document`, reason: "limit_reached" },
  annotation_size: {
    what: "an annotation with its comments",
    most: size(records.annotationBytes),
    reason: "limit_reached",
  },
  editors: {
    what: "collaborative documents",
    most: `${number(records.editors)} in a document`,
    reason: "limit_reached",
  },
  versions: {
    what: "versions of a collaborative document",
    most: `${records.versions}, of ${size(records.versionBytes)} together`,
    reason: "limit_reached",
  },
  live_states: { what: "live states", most: `${records.liveStates} in a document`, reason: "limit_reached" },
  live_state_size: {
    what: "a live state after a merge",
    most: `${size(records.recordBytes)} as JSON text`,
    reason: "limit_reached",
  },
  presence_data: {
    what: "connections with presence data",
    most: `${records.presenceConnections} in a document, of which ${records.presenceConnectionsOfUser} of a user`,
    reason: "limit_reached",
  },
  folders: { what: "folders", most: `${number(records.folders)} in an organization`, reason: "limit_reached" },
  auth_tokens: { what: "auth tokens", most: `${number(records.authTokens)} of a workspace`, reason: "limit_reached" },
  webhook_endpoints: {
    what: "webhook endpoints",
    most: `${number(records.webhookEndpoints)} of a workspace`,
    reason: "limit_reached",
  },
} as const satisfies Record<string, LimitOfCallers>;

export type LimitKind = keyof typeof LIMIT_KINDS;

/** Every limit of a single request, whose excess is INVALID_ARGUMENT. The documentation is generated from it. */
export const LIMITS_OF_REQUESTS: readonly Limited[] = [
  {
    what: "body",
    most:
      `${size(REQUEST_LIMITS.bodyBytes)}, ${size(REQUEST_LIMITS.threadedBodyBytes)} for \`/v2/crdt/add\` and ` +
      `\`/v2/crdt/update\`, ${size(REQUEST_LIMITS.publicBodyBytes)} for operations that need no headers`,
  },
  {
    what: "values (`null`, numbers, strings, objects, lists) in a body, and their nesting",
    most: `${number(REQUEST_LIMITS.values)}, in ${REQUEST_LIMITS.depth} levels`,
  },
  { what: "time in which a request arrives", most: `${LIMITS.receiving.maxMs / 1000} seconds` },
  { what: "annotations that a user adds with a request", most: `${USER_LISTS.annotations}` },
  { what: "comments that a user adds to an annotation with a request", most: `${USER_LISTS.comments}` },
  { what: "users whom a user mentions in a comment", most: `${USER_LISTS.mentions}` },
  { what: "presence data", most: `${size(REQUEST_LIMITS.presenceDataBytes)} as JSON text` },
  { what: "`name` and `email` of `/v2/presence/add`", most: `${number(REQUEST_LIMITS.shortText)} UTF-16 code units` },
  { what: "allowed domains", most: `${number(records.domains)} of a workspace` },
  {
    what: "an organization, document or user with its metadata, and a live state",
    most: `${size(records.recordBytes)} as JSON text`,
  },
  { what: "`triggers` of the email and the activity settings", most: "100 each" },
  {
    what: "elements, attributes and texts of XML of a collaborative document",
    most: `${number(REQUEST_LIMITS.xmlValues)}, in ${REQUEST_LIMITS.xmlDepth} levels`,
  },
];

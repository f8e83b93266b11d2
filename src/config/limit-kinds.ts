import { formatBytes, formatCount } from "./format-limit.ts";
import { LIMITS, RECORD_LIMITS, REQUEST_LIMITS, USER_LISTS } from "./limits.ts";

/** A limit, as the documentation describes it. */
interface Limit {
  /** What is limited. */
  what: string;
  /** The maximum, and for whom. */
  max: string;
}

/** A limit that depends on other requests or on what is stored, and the reason of its error. */
interface NamedLimit extends Limit {
  reason: "rate_limited" | "too_many_streams" | "overloaded" | "limit_reached";
}

const { streams, uploads, authenticatedSockets, unauthenticatedSockets, wrongCredentials, bodies, unsentResponses } =
  LIMITS;
const records = RECORD_LIMITS;

/**
 * Every limit that depends on other requests or on what is stored. Its name is `details.limit` of the error and a label
 * of the metrics. The documentation is generated from it.
 */
export const LIMIT_KINDS = {
  requests: {
    what: "requests per second",
    max: "`REQUESTS_PER_SECOND` for a workspace, and in a burst as many",
    reason: "rate_limited",
  },
  user_requests: {
    what: "requests per second of a user",
    max: "a tenth of `REQUESTS_PER_SECOND`, in a burst half of it",
    reason: "rate_limited",
  },
  user_writes: {
    what: "records of a kind that a user writes per second",
    max: "`USER_WRITES_PER_SECOND`, in a burst `USER_WRITE_BURST`",
    reason: "rate_limited",
  },
  wrong_credentials: {
    what: "requests per second with wrong credentials",
    max: `${wrongCredentials.perSecond} for an address, in a burst ${wrongCredentials.burst}`,
    reason: "rate_limited",
  },
  login_links: {
    what: "login links in 15 minutes",
    max: `${records.loginLinksOfAddress} for an email address, ${records.loginLinksOfClient} for an address`,
    reason: "rate_limited",
  },
  test_mails: { what: "test mails at the same time", max: "1 for a workspace", reason: "rate_limited" },
  event_streams: {
    what: "event streams and requests that wait for events, at a process",
    max: `${formatCount(streams.maxOfWorkspace)} for a workspace, ${streams.maxOfUser} for a user`,
    reason: "too_many_streams",
  },
  uploads: {
    what: "uploads of files at the same time, at a process",
    max: `${formatCount(uploads.maxOfWorkspace)} for a workspace, ${uploads.maxOfUser} for a user`,
    reason: "rate_limited",
  },
  sockets: {
    what: "WebSockets at a process",
    max: `${authenticatedSockets.maxOfUser} for a user`,
    reason: "rate_limited",
  },
  unauthenticated_sockets: {
    what: "WebSockets at a process that have sent no valid token",
    max: `${unauthenticatedSockets.maxOfClient} for an address`,
    reason: "rate_limited",
  },
  requests_in_progress: {
    what: "requests in progress at a process",
    max:
      "`MAX_CONCURRENT_REQUESTS`: half for a workspace and a tenth for a caller while others wait, a tenth for a " +
      "user in any case",
    reason: "overloaded",
  },
  database: {
    what: "statements that run at the same time, at a process",
    max: "`DATABASE_POOL_MAX`, in the same parts, but at least 2 for a user",
    reason: "overloaded",
  },
  bodies: {
    what: "bodies that are read at the same time",
    max:
      `${formatBytes(bodies.maxBytes)}: half for a workspace, 3/8 for a caller, 1/10 for a user (or 12 MiB, but no ` +
      "more than for a caller), 1/256 for an address without credentials",
    reason: "overloaded",
  },
  unread_responses: {
    what: "responses of more than 64 KiB that are not read",
    max: `${formatBytes(unsentResponses.maxBytes)}, in the same parts`,
    reason: "overloaded",
  },
  annotations: {
    what: "annotations",
    max: `${formatCount(records.annotations)} in a document`,
    reason: "limit_reached",
  },
  annotation_size: {
    what: "an annotation with its comments",
    max: formatBytes(records.annotationBytes),
    reason: "limit_reached",
  },
  mentioned_members: {
    what: "members of the user groups that the comments of a request mention",
    max: formatCount(records.mentionedMembers),
    reason: "limit_reached",
  },
  editors: {
    what: "collaborative documents",
    max: `${formatCount(records.editors)} in a document`,
    reason: "limit_reached",
  },
  versions: {
    what: "versions of a collaborative document",
    max: `${records.versions}, of ${formatBytes(records.versionBytes)} together`,
    reason: "limit_reached",
  },
  user_files: {
    what: "files that a user has uploaded",
    max: "`USER_FILES_MAX_MIB` in an organization",
    reason: "limit_reached",
  },
  organization_files: {
    what: "files of an organization",
    max: "`ORGANIZATION_FILES_MAX_MIB`",
    reason: "limit_reached",
  },
  workspace_files: {
    what: "files of a workspace",
    max: "`WORKSPACE_FILES_MAX_MIB`",
    reason: "limit_reached",
  },
  live_states: { what: "live states", max: `${records.liveStates} in a document`, reason: "limit_reached" },
  live_state_size: {
    what: "a live state after a merge",
    max: `${formatBytes(records.recordBytes)} as JSON text`,
    reason: "limit_reached",
  },
  presence_data: {
    what: "connections with presence data",
    max: `${records.presenceConnections} in a document, of which ${records.presenceConnectionsOfUser} of a user`,
    reason: "limit_reached",
  },
  folders: { what: "folders", max: `${formatCount(records.folders)} in an organization`, reason: "limit_reached" },
  auth_tokens: {
    what: "auth tokens",
    max: `${formatCount(records.authTokens)} of a workspace`,
    reason: "limit_reached",
  },
  webhook_endpoints: {
    what: "webhook endpoints",
    max: `${formatCount(records.webhookEndpoints)} of a workspace`,
    reason: "limit_reached",
  },
} as const satisfies Record<string, NamedLimit>;

export type LimitKind = keyof typeof LIMIT_KINDS;

/** Every limit of a single request. Its error is INVALID_ARGUMENT. The documentation is generated from it. */
export const SINGLE_REQUEST_LIMITS: readonly Limit[] = [
  {
    what: "body",
    max:
      `${formatBytes(REQUEST_LIMITS.bodyBytes)}, ` +
      `${formatBytes(REQUEST_LIMITS.threadedBodyBytes)} for \`/v2/crdt/add\` and \`/v2/crdt/update\`, ` +
      `${formatBytes(REQUEST_LIMITS.publicBodyBytes)} for operations that need no headers`,
  },
  {
    what: "values (`null`, numbers, strings, objects, lists) in a body, and their nesting",
    max: `${formatCount(REQUEST_LIMITS.values)}, in ${REQUEST_LIMITS.depth} levels`,
  },
  { what: "time in which a request arrives", max: `${LIMITS.receiving.maxMs / 1000} seconds` },
  {
    what: "time in which an upload arrives",
    max:
      `${uploads.maxMs / 1000} seconds, and 1 second for each ${formatBytes(uploads.minBytesPerSecond)}; ` +
      `${uploads.stalledMs / 1000} seconds without progress`,
  },
  { what: "a file", max: "`FILE_MAX_MIB`" },
  { what: "annotations that a user adds with a request", max: `${USER_LISTS.annotations}` },
  { what: "comments that a user adds to an annotation with a request", max: `${USER_LISTS.comments}` },
  { what: "users whom a user mentions in a comment", max: `${USER_LISTS.mentions}` },
  { what: "user groups that a user mentions in a comment", max: `${USER_LISTS.mentionedGroups}` },
  { what: "presence data", max: `${formatBytes(REQUEST_LIMITS.presenceDataBytes)} as JSON text` },
  {
    what: "`name` and `email` of `/v2/presence/add`",
    max: `${formatCount(REQUEST_LIMITS.shortText)} UTF-16 code units`,
  },
  { what: "allowed domains", max: `${formatCount(records.domains)} of a workspace` },
  {
    what: "an organization, document or user with its metadata, and a live state",
    max: `${formatBytes(records.recordBytes)} as JSON text`,
  },
  { what: "`triggers` of the email and the activity settings", max: "100 each" },
  {
    what: "elements, attributes and texts of XML of a collaborative document",
    max: `${formatCount(REQUEST_LIMITS.xmlValues)}, in ${REQUEST_LIMITS.xmlDepth} levels`,
  },
];

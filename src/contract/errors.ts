import { ERROR_CATALOGUE, type ErrorStatus } from "./error-catalogue.ts";

interface ErrorKind {
  status: ErrorStatus;
  /** HTTP code, if it differs from the status's. */
  httpStatus?: number;
  meaning: string;
}

/**
 * Every error that a program may want to distinguish, by the stable code that responses have as `details.reason`. The
 * documentation and OpenAPI are generated from it.
 */
export const ERROR_KINDS = {
  field_invalid: {
    status: "INVALID_ARGUMENT",
    meaning: "A field is missing or invalid; `details.issues` lists up to 100.",
  },
  unknown_field: {
    status: "INVALID_ARGUMENT",
    meaning: "A field is not one of this operation; `details.issues` lists up to 100 such fields and suggests names.",
  },
  body_invalid: {
    status: "INVALID_ARGUMENT",
    meaning: "The body is not a JSON object in UTF-8, is nested too deeply, or has too many values.",
  },
  body_too_large: {
    status: "INVALID_ARGUMENT",
    httpStatus: 413,
    meaning: "The body is larger than the operation allows. The message names the limit.",
  },
  media_type_unsupported: {
    status: "INVALID_ARGUMENT",
    httpStatus: 415,
    meaning: "The body is not sent as application/json in UTF-8.",
  },
  method_not_allowed: { status: "INVALID_ARGUMENT", httpStatus: 405, meaning: "Operations accept only POST." },
  request_invalid: { status: "INVALID_ARGUMENT", meaning: "The request is not valid HTTP/1.1." },
  request_timeout: {
    status: "INVALID_ARGUMENT",
    httpStatus: 408,
    meaning: "The request did not arrive in time. Send it again.",
  },
  headers_too_large: { status: "INVALID_ARGUMENT", meaning: "The headers of the request are larger than 16 KiB." },
  upload_mismatch: {
    status: "INVALID_ARGUMENT",
    meaning: "The upload has another size, type or checksum than `/v2/files/add` was told.",
  },
  expectation_unmet: {
    status: "INVALID_ARGUMENT",
    httpStatus: 417,
    meaning: "The header `Expect` may only be `100-continue`.",
  },
  transfer_coding_unknown: {
    status: "INVALID_ARGUMENT",
    httpStatus: 501,
    meaning: "The header `Transfer-Encoding` may only be `chunked`.",
  },
  page_token_invalid: {
    status: "INVALID_ARGUMENT",
    meaning: "The page token is not from this operation with these filters, or the cursor not from these events.",
  },
  activity_service_disabled: {
    status: "INVALID_ARGUMENT",
    meaning: "The activity service of the workspace is off. Enable it with /v2/workspace/activityconfig/update.",
  },
  idempotency_key_invalid: {
    status: "INVALID_ARGUMENT",
    meaning: "The header `Idempotency-Key` must have 1 to 255 visible ASCII characters.",
  },
  credentials_missing: { status: "PERMISSION_DENIED", meaning: "An authentication header is missing or empty." },
  api_key_invalid: { status: "PERMISSION_DENIED", meaning: "The API key is invalid." },
  auth_token_invalid: {
    status: "PERMISSION_DENIED",
    meaning: "The auth token is invalid, revoked, or belongs to another workspace.",
  },
  auth_token_expired: { status: "PERMISSION_DENIED", meaning: "The auth token has expired." },
  credentials_ambiguous: {
    status: "INVALID_ARGUMENT",
    meaning: "The request has a user token and an auth token. Send one of them.",
  },
  user_token_invalid: {
    status: "PERMISSION_DENIED",
    meaning: "The user token is signed neither by this service nor by the workspace's token issuer, or is too long.",
  },
  user_token_expired: { status: "PERMISSION_DENIED", meaning: "The user token has expired. Get another one." },
  user_token_revoked: { status: "PERMISSION_DENIED", meaning: "The tokens of the user were revoked. Get another one." },
  user_token_required: { status: "PERMISSION_DENIED", meaning: "Web pages must call with a user token." },
  backend_only: {
    status: "PERMISSION_DENIED",
    meaning: "User tokens cannot call this operation. Call it from a backend, with an API key and an auth token.",
  },
  identity_mismatch: {
    status: "PERMISSION_DENIED",
    meaning: "A field names another user than the user token. Leave it out.",
  },
  access_denied: { status: "PERMISSION_DENIED", meaning: "The user lacks the role that the operation needs." },
  scope_missing: { status: "PERMISSION_DENIED", meaning: "The auth token lacks the scope in `details.scope`." },
  session_ended: { status: "PERMISSION_DENIED", meaning: "The console session has ended. Sign in again." },
  session_not_allowed: { status: "PERMISSION_DENIED", meaning: "Sessions work only on the service's own pages." },
  workspace_unreachable: { status: "PERMISSION_DENIED", meaning: "The session has no access to this workspace." },
  file_link_invalid: { status: "PERMISSION_DENIED", meaning: "The URL of the file is not signed by the service." },
  file_link_expired: { status: "PERMISSION_DENIED", meaning: "The URL of the file has expired. Get another one." },
  login_link_invalid: { status: "PERMISSION_DENIED", meaning: "The login link is invalid, expired or already used." },
  origin_not_allowed: { status: "PERMISSION_DENIED", meaning: "The origin of the page is not an allowed domain." },
  organization_disabled: {
    status: "PERMISSION_DENIED",
    meaning: "The organization in `details.organizationId` is disabled.",
  },
  document_disabled: { status: "PERMISSION_DENIED", meaning: "The document in `details.documentId` is disabled." },
  organization_being_deleted: { status: "FAILED_PRECONDITION", meaning: "The organization is being deleted." },
  limit_reached: {
    status: "FAILED_PRECONDITION",
    meaning: "The write would exceed a limit of the workspace or record.",
  },
  editor_mismatch: { status: "FAILED_PRECONDITION", meaning: "The type or content key cannot be changed." },
  state_mismatch: { status: "FAILED_PRECONDITION", meaning: "The collaborative document never had this state." },
  document_too_large: { status: "FAILED_PRECONDITION", meaning: "The collaborative document has too long a history." },
  secret_unreadable: {
    status: "FAILED_PRECONDITION",
    meaning: "A stored secret was encrypted under another SECRET_KEY.",
  },
  webhooks_disabled: {
    status: "FAILED_PRECONDITION",
    meaning: "Advanced webhooks are off, or the webhook endpoint is disabled. Enable them first.",
  },
  auth_token_required: { status: "FAILED_PRECONDITION", meaning: "The operation needs an auth token, not a session." },
  workspace_required: {
    status: "FAILED_PRECONDITION",
    meaning: "A command needs a workspace: none exists, or it must name one of several.",
  },
  range_unsatisfiable: {
    status: "FAILED_PRECONDITION",
    httpStatus: 416,
    meaning: "The file ends before the range. `Content-Range` has its size.",
  },
  operation_unknown: { status: "NOT_FOUND", meaning: "No operation has this path." },
  not_found: { status: "NOT_FOUND", meaning: "The record does not exist." },
  already_exists: { status: "ALREADY_EXISTS", meaning: "The record exists already and was not changed." },
  activities_immutable: {
    status: "ALREADY_EXISTS",
    meaning: "A different activity has this ID, and activities are immutable in this workspace.",
  },
  idempotency_key_reused: {
    status: "ALREADY_EXISTS",
    meaning: "The `Idempotency-Key` was sent with another request. Use a new key for each request.",
  },
  rate_limited: { status: "RESOURCE_EXHAUSTED", meaning: "Too many requests. Retry after `Retry-After` seconds." },
  too_many_streams: {
    status: "RESOURCE_EXHAUSTED",
    meaning: "The workspace or user has too many event streams open at the process. Close some, or retry.",
  },
  domains_skipped: {
    status: "INTERNAL",
    httpStatus: 409,
    meaning: "Some domains existed already; `details` lists the added and the skipped ones.",
  },
  domains_not_allowed: {
    status: "INTERNAL",
    httpStatus: 409,
    meaning: "Some domains to delete were not allowed; `details` lists the removed and the skipped ones.",
  },
  internal_error: { status: "INTERNAL", meaning: "An error of the service. `x-request-id` identifies it in the log." },
  overloaded: { status: "UNAVAILABLE", meaning: "The service is overloaded. Retry after `Retry-After` seconds." },
  starting: {
    status: "UNAVAILABLE",
    meaning: "The service is starting, or migrations are missing: run `colloquy migrate`.",
  },
  database_unavailable: { status: "UNAVAILABLE", meaning: "The database does not respond. Retry later." },
  storage_full: {
    status: "UNAVAILABLE",
    meaning: "The storage of the database or of files is full, so nothing can be written. Free or add disk space.",
  },
  database_read_only: {
    status: "UNAVAILABLE",
    meaning: "The database is read-only at present, such as during a failover. Retry later.",
  },
  document_being_migrated: {
    status: "UNAVAILABLE",
    meaning: "The document in `details.documentId` moves. Retry later.",
  },
  idempotency_key_in_progress: {
    status: "UNAVAILABLE",
    meaning: "The first request with this `Idempotency-Key` is in progress. Retry with the same key.",
  },
  token_issuer_unavailable: { status: "UNAVAILABLE", meaning: "The token issuer's keys are unreachable. Retry later." },
  conflict: { status: "UNAVAILABLE", meaning: "Too many concurrent updates of the same record. Retry." },
} as const satisfies Record<string, ErrorKind>;

export type Reason = keyof typeof ERROR_KINDS;

/** Fields of `details` besides the reason, by the reasons that have any. */
interface DetailFields {
  field_invalid: { issues: readonly Issue[] };
  unknown_field: { issues: readonly Issue[] };
  page_token_invalid: { issues: readonly Issue[] };
  organization_disabled: { organizationId: string };
  document_disabled: { organizationId: string; documentId: string };
  document_being_migrated: { organizationId: string; documentId: string };
  domains_skipped: { domainsAdded: readonly string[]; skippedDomains: readonly string[] };
  domains_not_allowed: { domainsRemoved: readonly string[]; skippedDomains: readonly string[] };
}

/** `details` of an error. Its reason decides which other fields it has. */
export type ErrorDetails<R extends Reason = Reason> = R extends keyof DetailFields
  ? { reason: R } & DetailFields[R]
  : { reason: R };

interface ServiceErrorOptions extends ErrorOptions {
  /** HTTP code, if it differs from the catalogue's. */
  httpStatus?: number;
  retryAfterSeconds?: number;
  /** Whether the operation keeps what it has changed, which the details list. */
  keepsChanges?: boolean;
}

/** Options of an error with this reason. The fields of its details are required. */
type OptionsOf<R extends Reason> = R extends keyof DetailFields
  ? [options: ServiceErrorOptions & { details: DetailFields[R] }]
  : [options?: ServiceErrorOptions & { details?: object }];

/** An error that callers see as it is. Anything else that is thrown becomes an opaque INTERNAL. */
export class ServiceError<R extends Reason = Reason> extends Error {
  readonly reason: Reason;
  readonly status: ErrorStatus;
  readonly httpStatus: number;
  readonly details: object;
  readonly retryAfterSeconds: number | undefined;
  readonly keepsChanges: boolean;
  constructor(reason: R, message: string, ...[options = {}]: OptionsOf<R>) {
    super(message, { cause: options.cause });
    const kind: ErrorKind = ERROR_KINDS[reason];
    this.reason = reason;
    this.status = kind.status;
    this.httpStatus = options.httpStatus ?? kind.httpStatus ?? ERROR_CATALOGUE[kind.status].httpStatus;
    // Details by ID may have the ID `reason`, whose item gets another key.
    const named = options.details && "reason" in options.details ? { __reason: options.details.reason } : {};
    this.details = { ...{ reason }, ...named, ...options.details, ...{ reason } };
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.keepsChanges = options.keepsChanges ?? false;
  }
}

export interface Issue {
  /** Path as a caller writes it in JavaScript: `data.activities[0].id`. */
  path: string;
  message: string;
}

/** Maximum number of issues in a response. */
export const MAX_ISSUES = 100;

/** Returns the error about invalid fields. The message names the first; `details.issues` lists all, 100 at most. */
export function invalidFields(first: Issue, ...others: Issue[]): ServiceError {
  return fieldError("field_invalid", first, others);
}

/** Returns the error about fields that the operation does not have. The message names the first. */
export function unknownFields(first: Issue, ...others: Issue[]): ServiceError {
  return fieldError("unknown_field", first, others);
}

function fieldError(reason: "field_invalid" | "unknown_field", first: Issue, others: Issue[]): ServiceError {
  const issues = [first, ...others.slice(0, MAX_ISSUES - 1)];
  return new ServiceError(reason, `${first.path} ${first.message}`, { details: { issues } });
}

export function invalidField(path: string, message: string): ServiceError {
  return invalidFields({ path, message });
}

/** Reasons of UNAVAILABLE. */
export type UnavailableReason = {
  [R in Reason]: (typeof ERROR_KINDS)[R]["status"] extends "UNAVAILABLE" ? R : never;
}[Reason];

/** Time after which a caller may retry what was UNAVAILABLE. */
export const RETRY_AFTER_SECONDS = 1;

/** Returns an UNAVAILABLE error that asks the caller to retry. */
export function unavailable(
  reason: UnavailableReason,
  message: string,
  options: { cause?: unknown; details?: object } = {},
): ServiceError {
  return new ServiceError<UnavailableReason>(reason, message, { retryAfterSeconds: RETRY_AFTER_SECONDS, ...options });
}

import type { AccessRole, ErrorStatus, Reason } from "./api.generated.ts";

/** An invalid field of a request. */
export interface Issue {
  /** Path of the field, such as `data.activities[0].id`. */
  path: string;
  message: string;
}

/** Fields of `details` besides the reason, by the reasons that have any. */
interface DetailFields {
  field_invalid: { issues: readonly Issue[] };
  unknown_field: { issues: readonly Issue[] };
  page_token_invalid: { issues: readonly Issue[] };
  access_denied: { requiredRole?: AccessRole | undefined };
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

/** Fields of a ColloquyError. */
export interface ErrorFields {
  message: string;
  details?: ErrorDetails | undefined;
  requestId?: string | undefined;
  httpStatus?: number | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/**
 * Status in the service's error catalogue, `OFFLINE` if there was no response or no token, or `UNAUTHENTICATED` if
 * `getUserToken` has returned none.
 */
export type ClientErrorStatus = ErrorStatus | "OFFLINE" | "UNAUTHENTICATED";

/** A call or a stream that failed. */
export class ColloquyError extends Error {
  readonly status: ClientErrorStatus;
  /** Stable code of the error; undefined if the response is not the service's, such as a proxy's. */
  readonly reason: Reason | undefined;
  readonly details: ErrorDetails | undefined;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** HTTP code; undefined if there was no response. */
  readonly httpStatus: number | undefined;
  /** Time after which the service asks to retry. */
  readonly retryAfterMs: number | undefined;

  constructor(status: ClientErrorStatus, error: ErrorFields) {
    super(error.message, { cause: error.cause });
    this.name = "ColloquyError";
    this.status = status;
    this.reason = error.details?.reason;
    this.details = error.details;
    this.requestId = error.requestId;
    this.httpStatus = error.httpStatus;
    this.retryAfterMs = error.retryAfterMs;
  }

  /** Whether the same call may succeed later. */
  get isRetryable(): boolean {
    return ["OFFLINE", "UNAVAILABLE", "RESOURCE_EXHAUSTED"].includes(this.status);
  }
}

/** Returns the error of what the last user of a client has begun. */
export function wasReset(): ColloquyError {
  return new ColloquyError("UNAUTHENTICATED", { message: "The client was reset for another user." });
}

/** Body of an error response. */
interface ErrorBody {
  error?: { status: ErrorStatus; message: string; details?: ErrorDetails };
}

/** Returns the error of a failed response. A proxy in front of the service may have sent it. */
export async function getError(response: Response): Promise<ColloquyError> {
  const { error } = asErrorBody(await response.json().catch(() => undefined));
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ColloquyError(error?.status ?? getStatus(response.status), {
    message: error?.message ?? `The service responded with HTTP ${response.status}.`,
    details: error?.details,
    requestId: response.headers.get("x-request-id") ?? undefined,
    httpStatus: response.status,
    retryAfterMs: retryAfter >= 0 ? retryAfter * 1000 : undefined,
  });
}

/** Casts a body: every error of the service has this envelope, and other responses have no such field. */
function asErrorBody(body: unknown): ErrorBody {
  return (body ?? {}) as ErrorBody;
}

/**
 * Returns the status of an error that the service did not send. While it restarts, proxies respond with 404, 408, 500
 * or 520 to 530 too, so all of these are worth another attempt.
 */
function getStatus(httpStatus: number): ErrorStatus {
  if (httpStatus >= 500 || [404, 408, 421, 425].includes(httpStatus)) return "UNAVAILABLE";
  if (httpStatus === 429) return "RESOURCE_EXHAUSTED";
  if (httpStatus === 401 || httpStatus === 403) return "PERMISSION_DENIED";
  return "INVALID_ARGUMENT";
}

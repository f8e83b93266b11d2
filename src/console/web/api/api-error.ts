import type { ErrorStatus } from "../../../contract/error-catalogue.ts";
import type { ErrorDetails } from "../../../contract/errors.ts";

interface ApiErrorOptions {
  /** Undefined if there was no response of the API. */
  details?: ErrorDetails | undefined;
  requestId?: string | undefined;
}

/** A failed call, with a message to show to the user. */
export class ApiError extends Error {
  /** Status in the API's error catalogue, or `OFFLINE` if there was no response. */
  readonly status: ErrorStatus | "OFFLINE";
  readonly details: ErrorDetails | undefined;
  readonly requestId: string | undefined;

  constructor(status: ErrorStatus | "OFFLINE", message: string, { details, requestId }: ApiErrorOptions = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.requestId = requestId;
  }
}

/** Body of a failed response. A proxy in front of the service may send another one. */
interface ErrorBody {
  error?: { status: ErrorStatus; message: string; details?: ErrorDetails };
}

/** Returns the error of a failed response. */
export async function getError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const { error }: ErrorBody = await response.json().catch(() => ({}));
  if (error) return new ApiError(error.status, error.message, { details: error.details, requestId });
  return new ApiError(getStatus(response.status), `The service responded with HTTP ${response.status}.`, { requestId });
}

/** Returns the status of a response of a proxy, which says only whether a retry may succeed. */
function getStatus(httpStatus: number): ErrorStatus {
  if (httpStatus === 429) return "RESOURCE_EXHAUSTED";
  return [502, 503, 504].includes(httpStatus) ? "UNAVAILABLE" : "INTERNAL";
}

/** Returns whether a retry may succeed. An invalid request never does. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && ["OFFLINE", "UNAVAILABLE"].includes(error.status);
}

export function isPermissionDenied(error: unknown): boolean {
  return error instanceof ApiError && error.status === "PERMISSION_DENIED";
}

/** Returns whether a request was rejected because its organization or document is disabled. */
export function isAboutDisabled(error: unknown): boolean {
  const reason = error instanceof ApiError ? error.details?.reason : undefined;
  return reason === "organization_disabled" || reason === "document_disabled";
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === "NOT_FOUND";
}

/** Returns whether a session has expired, as opposed to a request without a session. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof ApiError && error.details?.reason === "session_ended";
}

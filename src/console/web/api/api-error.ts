/** A failed call, with a message to show to the user. */
export class ApiError extends Error {
  /** Status in the API's error catalogue, or `OFFLINE` if there was no response. */
  readonly status: string;
  readonly requestId: string | undefined;

  constructor(status: string, message: string, requestId?: string) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** Returns whether a retry may succeed. An invalid request never does. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && ["OFFLINE", "UNAVAILABLE"].includes(error.status);
}

export function isPermissionDenied(error: unknown): boolean {
  return error instanceof ApiError && error.status === "PERMISSION_DENIED";
}

/** Returns whether a session has expired, as opposed to a request without a session. */
export function isSessionExpired(error: unknown): boolean {
  return isPermissionDenied(error) && error instanceof ApiError && error.message.startsWith("The session is over");
}

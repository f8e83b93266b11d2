/** Why a call has failed, to be shown to people. */
export class ApiError extends Error {
  /** As the API names it, or `OFFLINE` where there was no answer at all. */
  readonly status: string;
  readonly requestId: string | undefined;

  constructor(status: string, message: string, requestId?: string) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** A wrong request stays wrong. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && ["OFFLINE", "UNAVAILABLE"].includes(error.status);
}

export function isPermissionDenied(error: unknown): boolean {
  return error instanceof ApiError && error.status === "PERMISSION_DENIED";
}

/** Whether there was a session until now, rather than none. */
export function isSessionExpired(error: unknown): boolean {
  return isPermissionDenied(error) && error instanceof ApiError && error.message.startsWith("The session is over");
}

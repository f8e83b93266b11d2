/** Why a call has failed, to be shown to people. */
export class CallFailure extends Error {
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
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof CallFailure && ["OFFLINE", "UNAVAILABLE"].includes(error.status);
}

export function isRefused(error: unknown): boolean {
  return error instanceof CallFailure && error.status === "PERMISSION_DENIED";
}

/** Whether there was a session until now, rather than none. */
export function isOver(error: unknown): boolean {
  return isRefused(error) && error instanceof CallFailure && error.message.startsWith("The session is over");
}

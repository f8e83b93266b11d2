import type { ErrorStatus, Reason } from "./errors.ts";

/** Every status of a response. */
export const REQUEST_STATUSES = [
  "OK",
  "INVALID_ARGUMENT",
  "FAILED_PRECONDITION",
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "RESOURCE_EXHAUSTED",
  "INTERNAL",
  "UNAVAILABLE",
] as const satisfies readonly (ErrorStatus | "OK")[];

/** Entry of the request log. It holds no body, no secret, and no user ID. */
export interface RecordedRequest {
  requestId: string;
  /** Time of the response, in milliseconds since the epoch. */
  timestamp: number;
  /** Path of the operation. */
  operation: string;
  status: ErrorStatus | "OK";
  /** Reason of the error; null for a success. */
  reason: Reason | null;
  httpStatus: number;
  durationMs: number;
  /** ID of the caller's auth token; null for a caller with a user token. */
  authTokenId: string | null;
}

/** Records a completed request of a workspace. */
export type RecordRequest = (workspaceId: string, request: RecordedRequest) => void;

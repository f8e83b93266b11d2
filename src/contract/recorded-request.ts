import type { LimitKind } from "../config/limit-kinds.ts";
import type { ErrorStatus } from "./error-catalogue.ts";
import type { Reason } from "./errors.ts";

/** Status of a successful response in which every item failed. */
export const ITEMS_FAILED = "ITEMS_FAILED";

/** Every status of a recorded request. */
export const REQUEST_STATUSES = [
  "OK",
  ITEMS_FAILED,
  "INVALID_ARGUMENT",
  "FAILED_PRECONDITION",
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "RESOURCE_EXHAUSTED",
  "INTERNAL",
  "UNAVAILABLE",
] as const satisfies readonly RequestStatus[];

type RequestStatus = ErrorStatus | "OK" | typeof ITEMS_FAILED;

/** Entry of the request log. It holds no body and no secret. */
export interface RecordedRequest {
  requestId: string;
  /** Time of the response, in milliseconds since the epoch. */
  timestamp: number;
  /** Path of the operation, or the unknown path. */
  operation: string;
  status: RequestStatus;
  /** Reason of the error; null for a success. */
  reason: Reason | null;
  /** What the caller was told about the error, or about the first item that failed; null if nothing failed. */
  message: string | null;
  httpStatus: number;
  durationMs: number;
  /** Organization that the request names. */
  organizationId: string | null;
  /** ID of the caller's auth token, also if it was revoked; null for a user token and an unknown auth token. */
  authTokenId: string | null;
  /** IP address of the client. */
  clientAddress: string;
  /** Limit that the caller has reached. */
  limit?: LimitKind;
  /** User who has reached it. The log names no other users. */
  userId?: string;
}

/** Records a completed request to a workspace. `isRejected` is true if it had wrong credentials or an unknown path. */
export type RecordRequest = (workspaceId: string, request: RecordedRequest, isRejected?: boolean) => void;

import { formatBytes } from "../config/format-limit.ts";
import { REQUEST_LIMITS } from "../config/limits.ts";
import type { Operation } from "./operation.ts";

/** Maximum size of the body of a request that needs no credentials. */
export const MAX_PUBLIC_BODY_BYTES = REQUEST_LIMITS.publicBodyBytes;
/** Maximum size of a body whose content is processed in a worker thread. */
export const MAX_THREADED_BODY_BYTES = REQUEST_LIMITS.threadedBodyBytes;

/** Returns the maximum size of an operation's body. */
export function getBodyLimit({
  authentication,
  maxBodyBytes,
}: Pick<Operation, "authentication" | "maxBodyBytes">): number {
  return authentication === "none" ? MAX_PUBLIC_BODY_BYTES : (maxBodyBytes ?? REQUEST_LIMITS.bodyBytes);
}

/** Returns the message of an error with reason `body_too_large`. */
export function bodyTooLargeMessage(limitBytes: number): string {
  const limit = formatBytes(limitBytes);
  return `The body is larger than ${limit}, the limit of this operation.`;
}

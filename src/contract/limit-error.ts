import { LIMIT_KINDS, type LimitKind } from "../config/limit-kinds.ts";
import { RETRY_AFTER_SECONDS, ServiceError } from "./errors.ts";

/** Returns the error of a caller that has reached a limit. `details.limit` names it. */
export function limitError(
  limit: LimitKind,
  message: string,
  options: { retryAfterSeconds?: number; cause?: unknown } = {},
): ServiceError {
  const { reason } = LIMIT_KINDS[limit];
  const retry = reason === "limit_reached" ? {} : { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new ServiceError<typeof reason>(reason, message, { ...retry, ...options, details: { limit } });
}

/** Returns the limit that an error is about, if any. */
export function getLimit({ details }: ServiceError): LimitKind | undefined {
  const limit = "limit" in details ? details.limit : undefined;
  return typeof limit === "string" && isLimitKind(limit) ? limit : undefined;
}

function isLimitKind(name: string): name is LimitKind {
  return Object.hasOwn(LIMIT_KINDS, name);
}

import { ERROR_KINDS, ServiceError, unavailable } from "../contract/errors.ts";
import { limitError } from "../contract/limit-error.ts";
import { getUnavailability } from "../database/database-errors.ts";
import { HTTP_ERRORS } from "./http-errors.ts";
import { internalError } from "./response.ts";

/** Returns the error that the caller sees. An unknown error becomes an opaque INTERNAL. */
export function asServiceError(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const unavailability = getUnavailability(error);
  if (unavailability === "overloaded") return limitError("database", ERROR_KINDS.overloaded.meaning, { cause: error });
  if (unavailability) return unavailable(unavailability, ERROR_KINDS[unavailability].meaning, { cause: error });
  const httpStatus = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (error instanceof Error && typeof httpStatus === "number" && httpStatus >= 400 && httpStatus < 500) {
    const { reason, message } = HTTP_ERRORS.get(httpStatus) ?? { reason: "request_invalid", message: error.message };
    return new ServiceError(reason, message, { httpStatus, cause: error });
  }
  return internalError(requestId, error);
}

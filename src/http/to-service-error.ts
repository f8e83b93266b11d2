import { ERROR_KINDS, ServiceError, unavailable } from "../contract/errors.ts";
import { getUnavailability } from "../database/database-errors.ts";
import { HTTP_ERRORS } from "./http-errors.ts";
import { internalError } from "./response.ts";

/** Returns the failure that the caller is told. An unknown error becomes an opaque INTERNAL. */
export function asServiceError(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const unavailability = getUnavailability(error);
  if (unavailability) return unavailable(unavailability, ERROR_KINDS[unavailability].meaning, { cause: error });
  const httpStatus = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (error instanceof Error && typeof httpStatus === "number" && httpStatus >= 400 && httpStatus < 500) {
    const fault = HTTP_ERRORS.get(httpStatus) ?? { reason: "request_invalid", message: error.message };
    return new ServiceError(fault.reason, fault.message, { httpStatus, cause: error });
  }
  return internalError(requestId, error);
}

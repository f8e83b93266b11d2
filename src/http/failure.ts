import { FAILURES, ServiceError, unavailable } from "../contract/errors.ts";
import { unavailabilityOf } from "../database/failures.ts";
import { internalError } from "./answer.ts";
import { HTTP_FAULTS } from "./http-faults.ts";

/** Returns the failure that the caller is told. An unknown error becomes an opaque INTERNAL. */
export function asServiceError(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const unavailability = unavailabilityOf(error);
  if (unavailability) return unavailable(unavailability, FAILURES[unavailability].meaning, { cause: error });
  const httpStatus = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (error instanceof Error && typeof httpStatus === "number" && httpStatus >= 400 && httpStatus < 500) {
    const fault = HTTP_FAULTS.get(httpStatus) ?? { reason: "request_invalid", message: error.message };
    return new ServiceError(fault.reason, fault.message, { httpStatus, cause: error });
  }
  return internalError(requestId, error);
}

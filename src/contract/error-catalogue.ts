/** Every status of an error, its HTTP code and its meaning. The documentation is generated from it. */
export const ERROR_CATALOGUE = {
  INVALID_ARGUMENT: { httpStatus: 400, meaning: "The request is invalid. The message names the field." },
  FAILED_PRECONDITION: { httpStatus: 400, meaning: "The request is valid, but the current state does not allow it." },
  PERMISSION_DENIED: {
    httpStatus: 403,
    meaning:
      "The credentials are invalid or do not suffice, the origin is not allowed, or the organization or document is " +
      "disabled.",
  },
  NOT_FOUND: { httpStatus: 404, meaning: "The operation or record does not exist." },
  ALREADY_EXISTS: { httpStatus: 409, meaning: "The record exists already and was not changed." },
  RESOURCE_EXHAUSTED: {
    httpStatus: 429,
    meaning: "Too many requests. `Retry-After` says in how many seconds to retry.",
  },
  INTERNAL: { httpStatus: 500, meaning: "An error of the service. `x-request-id` identifies it in the log." },
  UNAVAILABLE: {
    httpStatus: 503,
    meaning: "The service or its database cannot serve at present. Retry after `Retry-After` seconds.",
  },
} as const;

export type ErrorStatus = keyof typeof ERROR_CATALOGUE;

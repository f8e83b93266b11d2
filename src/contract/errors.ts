/** Every status an answer can carry, its HTTP code and what it means to a caller. The documentation is made of this. */
export const ERROR_CATALOGUE = {
  INVALID_ARGUMENT: { httpStatus: 400, meaning: "The request is invalid. The message names the field." },
  FAILED_PRECONDITION: { httpStatus: 400, meaning: "The request is valid, but the current state does not allow it." },
  PERMISSION_DENIED: {
    httpStatus: 403,
    meaning: "The API key or auth token is invalid, the origin is not allowed, or the organization is disabled.",
  },
  NOT_FOUND: { httpStatus: 404, meaning: "The operation or record does not exist." },
  ALREADY_EXISTS: { httpStatus: 409, meaning: "The record exists already and was not changed." },
  RESOURCE_EXHAUSTED: {
    httpStatus: 429,
    meaning: "Too many requests. `Retry-After` says in how many seconds to retry.",
  },
  INTERNAL: { httpStatus: 500, meaning: "A fault of the service. `x-request-id` identifies it in the log." },
  UNAVAILABLE: {
    httpStatus: 503,
    meaning: "The service is overloaded or has no database. `Retry-After` says in how many seconds to retry.",
  },
} as const;

/** What the caller is told, as INVALID_ARGUMENT, of faults that HTTP has codes of its own for. */
export const HTTP_FAULTS = new Map([
  [413, "The body is larger than 10 MiB."],
  [415, "The body must be sent with the header Content-Type: application/json."],
]);

export type ErrorStatus = keyof typeof ERROR_CATALOGUE;

interface ErrorOptions {
  details?: object;
  /** Where it differs from the catalogue's. */
  httpStatus?: number;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A failure that the caller is told about as it is. Anything else thrown becomes an opaque INTERNAL. */
export class ServiceError extends Error {
  readonly status: ErrorStatus;
  readonly httpStatus: number;
  readonly details: object | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: ErrorStatus, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.status = status;
    this.httpStatus = options.httpStatus ?? ERROR_CATALOGUE[status].httpStatus;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export function invalidArgument(message: string, details?: object): ServiceError {
  return new ServiceError("INVALID_ARGUMENT", message, details ? { details } : {});
}

export interface Issue {
  /** As a caller would write it in JavaScript: `data.activities[0].id`. */
  path: string;
  message: string;
}

/** An answer about a body of ten million wrong items stays small. */
export const MAX_ISSUES = 100;

/** INVALID_ARGUMENT about fields: the message names the first, `details.issues` has them all, 100 at most. */
export function invalidFields(first: Issue, ...others: Issue[]): ServiceError {
  const issues = [first, ...others.slice(0, MAX_ISSUES - 1)];
  return invalidArgument(`${first.path} ${first.message}`, { issues });
}

export function invalidField(path: string, message: string): ServiceError {
  return invalidFields({ path, message });
}

export function permissionDenied(message: string): ServiceError {
  return new ServiceError("PERMISSION_DENIED", message);
}

export function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError("UNAVAILABLE", message, { retryAfterSeconds: 1, cause });
}

/** As a caller would write it in JavaScript: `data.activities[0].changes["a b"]`. */
export function pathText([root = "the body", ...steps]: readonly (string | number)[]): string {
  return `${root}${steps.map(stepText).join("")}`;
}

function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

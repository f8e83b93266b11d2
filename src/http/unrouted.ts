import { FAILURES, ServiceError } from "../contract/errors.ts";

/** The method that each path of the API accepts. */
export type AllowedMethods = Map<string, "GET" | "POST">;

/** A failure and the headers of its answer. */
export interface Refusal {
  failure: ServiceError;
  headers: Record<string, string>;
}

/** Returns the refusal of a request to a URL whose path is unknown or accepts another method. */
export function refusalAt(url: string, allowedMethods: AllowedMethods): Refusal {
  const allowed = allowedMethods.get(pathOf(url));
  return allowed ? methodRefusal(allowed) : { failure: unknownOperation(), headers: {} };
}

export function methodRefusal(allowed: "GET" | "POST"): Refusal {
  const message = allowed === "GET" ? "The event stream accepts only GET." : FAILURES.method_not_allowed.meaning;
  return { failure: new ServiceError("method_not_allowed", message), headers: { allow: allowed } };
}

export function unknownOperation(): ServiceError {
  return new ServiceError("operation_unknown", "There is no such operation. GET /docs lists all operations.");
}

export function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

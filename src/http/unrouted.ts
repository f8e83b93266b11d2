import { ERROR_KINDS, ServiceError } from "../contract/errors.ts";

/** The method that each path of the API accepts. */
export type AllowedMethods = Map<string, "GET" | "POST">;

/** An error and its response headers. */
export interface RouteError {
  error: ServiceError;
  headers: Record<string, string>;
}

/** Returns the error for a request to a URL whose path is unknown or accepts another method. */
export function getRouteError(url: string, allowedMethods: AllowedMethods): RouteError {
  const allowed = allowedMethods.get(getPath(url));
  return allowed ? createMethodError(allowed) : { error: unknownOperation(), headers: {} };
}

export function createMethodError(allowed: "GET" | "POST"): RouteError {
  const message = allowed === "GET" ? "The event stream accepts only GET." : ERROR_KINDS.method_not_allowed.meaning;
  return { error: new ServiceError("method_not_allowed", message), headers: { allow: allowed } };
}

export function unknownOperation(): ServiceError {
  return new ServiceError("operation_unknown", "There is no such operation. GET /docs lists all operations.");
}

export function getPath(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

import { similarName } from "../config/similar-name.ts";
import { ERROR_KINDS, ServiceError } from "../contract/errors.ts";

type AllowedMethod = "GET" | "POST" | "PUT";
/** The method that each path of the API accepts. */
export type AllowedMethods = Map<string, AllowedMethod>;

/** An error and its response headers. */
export interface RouteError {
  error: ServiceError;
  headers: Record<string, string>;
}

/** Returns the error for a request to a URL whose path is unknown or accepts another method. */
export function getRouteError(url: string, allowedMethods: AllowedMethods): RouteError {
  const path = getPath(url);
  const allowed = allowedMethods.get(path);
  return allowed ? createMethodError(allowed) : { error: unknownOperation(path, allowedMethods.keys()), headers: {} };
}

export function createMethodError(allowed: AllowedMethod): RouteError {
  const message = allowed === "POST" ? ERROR_KINDS.method_not_allowed.meaning : `This path accepts only ${allowed}.`;
  return { error: new ServiceError("method_not_allowed", message), headers: { allow: allowed } };
}

/** Returns the error for an unknown path, with the known path that was probably meant. */
export function unknownOperation(path = "", known: Iterable<string> = []): ServiceError {
  const meant = getSimilarPath(path.replace(/\/+$/, ""), [...known]);
  const suggestion = meant ? ` Did you mean ${meant}?` : "";
  return new ServiceError(
    "operation_unknown",
    `There is no such operation.${suggestion} GET /docs lists all operations.`,
  );
}

/** Returns the known path with few typing errors, or that has this path behind its version or behind another one. */
function getSimilarPath(path: string, known: string[]): string | undefined {
  const withoutVersion = path.replace(/^\/v\d+(?=\/)/, "");
  return (
    similarName(path, known) ??
    (withoutVersion.length > 1
      ? known.find((each) => /^\/v\d+/.test(each) && each.endsWith(withoutVersion))
      : undefined)
  );
}

export function getPath(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

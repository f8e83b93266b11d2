import { invalidField } from "../contract/errors.ts";

/** Returns the query of a URL with its question mark, or an empty text. A query may have more question marks. */
export function getQuery(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start);
}

/**
 * Returns the parameters of a query. Throws INVALID_ARGUMENT if one is repeated that is not among the `lists`, or its
 * percent-encoding is malformed.
 */
export function getParameters(query: string, lists: readonly string[] = []): URLSearchParams {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (parameters.getAll(name).length > 1 && !lists.includes(name))
      throw invalidField(`data.${name}`, "is repeated in this request");
  }
  for (const parameter of query.slice(1).split("&")) {
    if (!isDecodable(parameter)) {
      throw invalidField(`data.${parameter.split("=")[0]}`, "has a malformed percent-encoding");
    }
  }
  return parameters;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

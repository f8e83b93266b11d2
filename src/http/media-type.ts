import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../contract/errors.ts";

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Throws INVALID_ARGUMENT if the headers say that the body is encoded or not UTF-8. */
export function rejectEncodings(headers: IncomingHttpHeaders): void {
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  if (encoding.toLowerCase() !== "identity") throw unsupported("The body must be sent without Content-Encoding.");
  const charset = CHARSET.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw unsupported("The body must be UTF-8; Content-Type names another charset.");
}

function unsupported(message: string): ServiceError {
  return new ServiceError("media_type_unsupported", message);
}

import { ERROR_CATALOGUE } from "../contract/error-catalogue.ts";
import { apiKeyHeader, authTokenHeader } from "./authentication.ts";

/** Returns the description of the whole API, in Markdown. */
export function introduction(headerPrefixes: readonly string[]): string {
  const headerPrefix = headerPrefixes[0] ?? "service";
  const errors = Object.entries(ERROR_CATALOGUE).map(
    ([status, { httpStatus, meaning }]) => `- \`${status}\` (HTTP ${httpStatus}): ${meaning}`,
  );
  return `Every operation is an HTTP POST with a JSON body, \`Content-Type: application/json\` and the headers
\`${apiKeyHeader(headerPrefix)}\` and \`${authTokenHeader(headerPrefix)}\`, unless its description says that it needs no
headers. Only the event stream is a GET, with the same headers.

## Requests and responses
The body is \`{ "data": { … } }\`; if no field is required, it may be missing. A success is
\`{ "result": { "status": "success", "message": "…", "data": … } }\`. Some operations work on several items of which
each can fail alone: their \`data\` has \`success\` and \`message\` for each ID. A write is committed before the
response is sent.

Types are not converted. Unknown fields are rejected. Timestamps are milliseconds since the epoch, set by the
service unless history is imported.
Identifiers are 1 to 256 UTF-16 code units without control characters.

## Errors
An error is \`{ "error": { "message": "…", "status": "…", "details": { "reason": "…" } } }\`. Programs should check
the reason, a stable code, instead of the message. Every response has the header \`x-request-id\`.

${errors.join("\n")}

A body over the limit is \`INVALID_ARGUMENT\` with HTTP 413, another media type is \`INVALID_ARGUMENT\` with HTTP 415.

## Pages
\`pageSize\` is 1 to 1,000, by default 1,000; a page also ends with the record that exceeds 8 MiB. If the response has
a page token, there is another page: send the token as \`data.pageToken\` with the same filters. A record that exists
throughout is returned exactly once, whatever is added or deleted meanwhile.

## Browsers
A request with an \`Origin\` header is accepted only if the host of the origin is an allowed domain of the workspace
(\`/v2/workspace/domains/add\`); otherwise it is \`PERMISSION_DENIED\`. Backends send no \`Origin\`.

## Limits
A body has at most 100,000 values, 64 levels of nesting, and 2 MiB; 10 MiB for
\`/v2/crdt/add\` and \`/v2/crdt/update\`, 16 KiB for operations that need no headers. Send more in several requests.
Lists of IDs have 1 to 1,000 entries unless stated otherwise.`;
}

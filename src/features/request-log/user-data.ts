import type { Reason } from "../../contract/errors.ts";
import type { Queryable } from "../../database/statement.ts";
import { isObject } from "../../json/is-object.ts";
import { type Mentions, REPLACEMENT } from "../purge/mentions.ts";
import { replaceRequests, selectChunksNaming } from "./request-log-queries.ts";

/** Fields of a request that may contain what its caller has sent. The path of an operation is none. */
const SENT_FIELDS = ["message", "requestId", "userId"];
const SENT_TO_UNKNOWN_PATH = [...SENT_FIELDS, "operation"];

/** Removes users from the request log of a workspace, which may quote the requests that named them. */
export async function redactRequestLog(
  database: Queryable,
  { workspaceId, mentions }: { workspaceId: string; mentions: Mentions },
  signal: AbortSignal,
): Promise<void> {
  let after = "0";
  for (;;) {
    signal.throwIfAborted();
    const [chunk] = await selectChunksNaming(database, workspaceId, { patterns: mentions.patterns, after });
    if (!chunk) return;
    const requests: unknown[] = JSON.parse(chunk.requests);
    const isRedacted = requests.map((request) => isObject(request) && redact(request, mentions)).includes(true);
    if (isRedacted) await replaceRequests(database, { ...chunk, requests: JSON.stringify(requests) });
    after = chunk.sequence;
  }
}

/** Removes users from a request. Returns whether it named one. */
function redact(request: Record<string, unknown>, mentions: Mentions): boolean {
  const fields = request.reason === ("operation_unknown" satisfies Reason) ? SENT_TO_UNKNOWN_PATH : SENT_FIELDS;
  const sent = Object.fromEntries(fields.map((name) => [name, request[name]]));
  const redacted = mentions.redact(JSON.stringify(sent));
  if (redacted === undefined) return false;
  const left: Record<string, unknown> = JSON.parse(redacted);
  for (const name of fields) request[name] = name in left ? left[name] : REPLACEMENT;
  return true;
}

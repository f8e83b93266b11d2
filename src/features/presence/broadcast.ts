import Type, { type Static } from "typebox";
import { formatBytes } from "../../config/format-limit.ts";
import { REQUEST_LIMITS } from "../../config/limits.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { MAX_CONNECTIONS, MAX_CONNECTIONS_OF_USER } from "./data/document-presence.ts";

const MAX_DATA = formatBytes(REQUEST_LIMITS.presenceDataBytes);

const PresenceDataObject = Type.Refine(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: `Any JSON object of at most ${MAX_DATA}, such as a cursor and its color.`,
    },
  ),
  (data) => Buffer.byteLength(JSON.stringify(data)) <= REQUEST_LIMITS.presenceDataBytes,
  () => `must be at most ${MAX_DATA} as JSON text`,
);

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  userId: Identifier,
  connectionId: Type.String({
    pattern: "^[\\w-]{1,64}$",
    description: "Must have 1 to 64 letters, digits, _ and -. A random text, which distinguishes the pages of a user.",
  }),
  data: Type.Optional(PresenceDataObject),
});

/** Sends data about a user in a document, such as a cursor, to the open event streams of the document. */
export const broadcastPresence = operation({
  path: "/v2/presence/broadcast",
  summary: "Share data of a user in a document, such as a cursor",
  description:
    "Sends `data` to the event streams of the document that have `presenceData`. It is not stored: it replaces what " +
    "the connection has sent before, and ends when a call without `data` removes it, when the last event stream or " +
    "collaborative document of the user in this document closes, or 90 s after it was sent. Send it again every 30 s " +
    "while the page shows the document. Data of one connection that is sent within 50 ms is delivered as its newest. " +
    "Wait for the response before the next call, so that processes deliver them in this order.\n\nA document has at " +
    `most ${MAX_CONNECTIONS} connections with data; one more is FAILED_PRECONDITION. A user has at most ` +
    `${MAX_CONNECTIONS_OF_USER} of them; one more replaces the oldest.`,
  message: "Presence shared.",
  scope: "write",
  isTransient: true,
  endUsers: { role: "viewer", on: "documents", identity: { userIds: ["userId"] }, changes: "own" },
  request: Request,
  response: Type.Object({ success: Type.Boolean() }),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    userId: "ada",
    connectionId: "3f9a1c",
    data: { color: "#c2410c", cursor: { x: 120, y: 48 } },
  },
  handle,
});

async function handle(
  { database, workspace, events, waitOutside }: Context,
  { organizationId, documentId, userId, connectionId, data }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  await requireAccessible(scope, documentId);
  const text = data && JSON.stringify(data);
  const place = { workspaceId: workspace.id, organizationKey: scope.key, documentId, userId, connectionId };
  await waitOutside(events.presence.send({ ...place, data: text }));
  return { success: true };
}

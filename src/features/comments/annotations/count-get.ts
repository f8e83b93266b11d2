import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, Identifiers, keyedById, perId } from "../../../contract/schema.ts";
import { findPermittedUsers } from "../../access/permitted-users/find-permitted-users.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { countAnnotations } from "./annotation-filter-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentIds: Type.Array(Identifier, { minItems: 1, maxItems: 30 }),
  userId: Identifier,
  statusIds: Type.Optional(Identifiers),
  anchorEditorIds: Type.Optional(Identifiers),
  includeUnreadIds: Type.Optional(
    Type.Boolean({ default: false, description: "Whether to return the IDs of the unread annotations too." }),
  ),
});

/** Counts the annotations of each document asked for, in one statement. */
export const getCommentAnnotationCount = operation({
  path: "/v2/commentannotations/count/get",
  aliases: ["/v1/commentannotations/count/get"],
  summary: "Count comment annotations, and those that a user has not read",
  description:
    "`unread` counts the annotations with a comment that is newer than the last one that the user has read " +
    "there. Adding a comment marks the annotation as read by its author, `/v2/commentannotations/read` by a user, " +
    "and `/v2/commentannotations/update` with `readByUserIds` by several. Annotations that their visibility or " +
    "access context hides from the user are not counted, nor those of documents that the user cannot read; for a " +
    "backend, only stored permissions decide. With `statusIds` only annotations with one of these statuses are " +
    "counted, and with `anchorEditorIds` those with an `anchor` in one of these collaborative documents. With " +
    "`includeUnreadIds` the IDs of unread annotations are returned too.",
  message: "Comment annotations counted.",
  scope: "read",
  endUsers: { role: "viewer", on: "documents", identity: { userIds: ["userId"] } },
  request: Request,
  response: perId(
    Type.Object({
      total: Type.Integer(),
      unread: Type.Integer(),
      unreadIds: Type.Optional(Type.Array(Type.String(), { description: "The newest 1,000 of them." })),
    }),
  ),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7"], userId: "grace" },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, includeUnreadIds = false, ...given }: Static<typeof Request>,
) {
  const filters = { ...given, seenBy: user ?? { userId: given.userId, grants: [] } };
  const scope = openOrganization(database, workspace, organizationId);
  const { block, counts } = await countAnnotations(scope, filters, includeUnreadIds);
  assertAccessible(block, organizationId);
  // The permissions of a calling user are checked already.
  const places = user ? [] : filters.documentIds.map((documentId) => ({ userId: given.userId, documentId }));
  const mayRead = await findPermittedUsers(scope, places, "viewer");
  const unreadable = new Set(places.filter((place) => !mayRead(place)).map(({ documentId }) => documentId));
  const found = new Map(
    counts.map(({ documentId, total, unread, unreadIds }) => [
      documentId,
      { total, unread, ...(unreadIds && { unreadIds }) },
    ]),
  );
  const none = { total: 0, unread: 0, ...(includeUnreadIds && { unreadIds: [] }) };
  const getCount = (id: string) => (unreadable.has(id) ? undefined : found.get(id)) ?? none;
  return keyedById(filters.documentIds.map((id) => [id, getCount(id)]));
}

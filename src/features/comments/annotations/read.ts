import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, Identifiers } from "../../../contract/schema.ts";
import { findPermittedUsers } from "../../access/permitted-users/find-permitted-users.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { buildReadEvents } from "../event-log.ts";
import { markAnnotationRead } from "./annotation-queries.ts";
import { eachLockedChunk } from "./matching.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  userId: Identifier,
  annotationIds: Type.Optional(Identifiers),
});

/** Marks the unread annotations of a document as read by a user: all of them, or some. */
export const readCommentAnnotations = operation({
  path: "/v2/commentannotations/read",
  summary: "Mark comment annotations as read by a user",
  description:
    "Marks the current comments of all unread annotations of the document, or of those in `annotationIds`, as read " +
    "by `userId`. This affects only `/v2/commentannotations/count/get`, and the same annotations count: not those " +
    "that access rules hide from the user at present. `readCount` counts the annotations that were marked. Nothing " +
    "to mark is a success.",
  message: "Comment annotations read.",
  scope: "write",
  endUsers: { role: "viewer", on: "documents", identity: { userIds: ["userId"] }, changes: "own" },
  request: Request,
  response: Type.Object(
    { success: Type.Boolean(), message: Type.String(), readCount: Type.Integer() },
    { examples: [{ success: true, message: countedMessage(1), readCount: 1 }] },
  ),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", userId: "ada", annotationIds: ["annotation-1"] },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, userId, ...given }: Static<typeof Request>,
) {
  const { documentId } = given;
  const filters = { ...given, unreadBy: userId, seenBy: user ?? { userId, grants: [] } };
  let readCount = 0;
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    // The permissions of a calling user are checked already.
    const places = user ? [] : [{ userId, documentId }];
    const mayRead = await findPermittedUsers(scope, places, "viewer");
    if (!places.every(mayRead)) return;
    await eachLockedChunk(scope, filters, async (annotations) => {
      const sequences = annotations.map(({ sequence }) => sequence);
      await markAnnotationRead(scope, sequences, [userId]);
      readCount += sequences.length;
    });
    if (readCount > 0) await recordEvents(scope, buildReadEvents(documentId, [userId]));
  });
  return { success: true, message: countedMessage(readCount), readCount };
}

function countedMessage(count: number): string {
  return count === 1 ? "1 annotation marked as read." : `${count} annotations marked as read.`;
}

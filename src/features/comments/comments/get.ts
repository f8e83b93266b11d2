import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, Identifiers } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { withNulls } from "../with-nulls.ts";
import { Comment, CommentIds } from "./comment.ts";
import { selectComments } from "./comment-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  annotationId: Identifier,
  userIds: Type.Optional(Identifiers),
  commentIds: Type.Optional(CommentIds),
});

/** Reads comments, oldest first. Filters combine with AND, the values in one list with OR. */
export const getComments = operation({
  path: "/v2/commentannotations/comments/get",
  aliases: ["/v1/commentannotations/comments/get"],
  summary: "Read the comments of an annotation",
  description:
    "Returns comments, oldest first. `userIds` filters by author. With `commentIds` the comments are followed by " +
    "`null` for each of these IDs that does not exist. An annotation that does not exist has no comments. Comments " +
    "are not paginated, because an annotation has at most 8 MiB of comments. Reading does not mark the annotation as " +
    "read.",
  message: "Comments retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Array(Type.Union([Comment, Type.Null()])),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", annotationId: "annotation-1" },
  handle,
});

async function handle({ database, workspace, user }: Context, { organizationId, ...filters }: Static<typeof Request>) {
  const scope = openOrganization(database, workspace, organizationId);
  const { records, existing, block } = await selectComments(scope, {
    ...filters,
    seenBy: user,
  });
  assertAccessible(block, organizationId);
  return withNulls(`[${records ?? ""}]`, filters.commentIds ?? [], existing);
}

import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_ORDER, DEFAULT_PAGE_SIZE, perId } from "../../../contract/schema.ts";
import { storedFolderFilter } from "../../documents/folders/folder.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { withNulls } from "../with-nulls.ts";
import { CommentAnnotation } from "./annotation.ts";
import { countExisting, selectAnnotationPage } from "./annotation-filter-queries.ts";
import { GetRequest } from "./get-request.ts";
import { groupByDocument } from "./group-by-document.ts";
import { withResolvedAnchors } from "./resolved-anchors.ts";

/** Reads annotations with their comments, newest first by default. Filters combine with AND, lists with OR. */
export const getCommentAnnotations = operation({
  path: "/v2/commentannotations/get",
  aliases: ["/v1/commentannotations/get"],
  summary: "Read comment annotations with their comments",
  description:
    "Returns annotations, newest first unless `order` is `asc`; the comments of each are ordered oldest first. " +
    "Filters combine with AND, the values of one list with OR. `folderId` filters by the folder that has the " +
    "document directly, or with `root` by documents outside of any folder; `anchorEditorIds` by the collaborative " +
    "document of the `anchor`; `userIds` by participants, who started " +
    "the annotation or commented in it; `mentionedUserIds` by users tagged in its comments. A request has at most " +
    "one of the filters by agent, which compare the agent of the first comment. `updatedAfter` and " +
    "`updatedBefore` compare `lastUpdated`, which changes with everything that this operation returns. With " +
    "`groupByDocumentId` the annotations of a page are returned as an object keyed by document ID. Otherwise, with " +
    "`annotationIds`, the last page ends with `null` for each of these IDs that does not exist. If there are " +
    "more, the response has a `nextPageToken`, repeated as `pageToken`; send it as `pageToken` with the same " +
    "filters. Reading does not mark annotations as read; use `/v2/commentannotations/read` for that.\n\nWith " +
    "`resolveAnchors`, `anchorState`, `anchorText` and the positions of each `anchor` in a collaborative document of " +
    "the `documentId` are those of its content now, of at most 20 collaborative documents for a page. Otherwise they " +
    "are as of the last time that `/v2/crdt/update`, `/v2/crdt/versions/restore`, `/v2/crdt/delete` or " +
    "`/v2/crdt/add` has replaced the content.\n\nIf a user " +
    "names one document, the response has the user's `accessRole` there, by which a page knows what to offer.",
  message: "Comment annotations retrieved.",
  scope: "read",
  hasEventCursor: true,
  hasAccessRole: true,
  endUsers: { role: "viewer", on: "documents" },
  request: GetRequest,
  response: Type.Union([
    Type.Array(Type.Union([CommentAnnotation, Type.Null()])),
    perId(Type.Array(CommentAnnotation)),
  ]),
  cursor: Type.Array(Type.Integer(), { description: "time of creation, sequence, number of annotations before" }),
  pageTokenNames: ["nextPageToken", "pageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor, user }: Context<number[]>,
  { organizationId, groupByDocumentId, resolveAnchors, ...request }: Static<typeof GetRequest>,
) {
  const { order = DEFAULT_ORDER, pageSize = DEFAULT_PAGE_SIZE, pageToken: _, folderId, ...given } = request;
  const filters = { ...given, folderId: storedFolderFilter(folderId), seenBy: user };
  const scope = openOrganization(database, workspace, organizationId);
  const [createdAt, sequence, placesBefore = 0] = cursor ?? [];
  const after = createdAt === undefined || sequence === undefined ? undefined : [createdAt, sequence];
  const page = await selectAnnotationPage(scope, filters, { order, pageSize, after, placesBefore });
  assertAccessible(page.extra, organizationId);
  const next = page.next && [...page.next, placesBefore + page.length];
  const found = resolveAnchors ? await withResolvedAnchors(scope, page.records) : page.records;
  if (groupByDocumentId) return new Page(new JsonText(groupByDocument(found)), next);
  const { annotationIds } = filters;
  const records =
    annotationIds && next === undefined
      ? withNulls(found, annotationIds, await countExisting(scope, filters))
      : new JsonText(found);
  return new Page(records, next);
}

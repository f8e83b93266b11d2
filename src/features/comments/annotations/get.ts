import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import {
  DEFAULT_ORDER,
  DEFAULT_PAGE_SIZE,
  Identifier,
  Identifiers,
  MAX_TIME,
  Order,
  PageSize,
  PageToken,
  perId,
} from "../../../contract/schema.ts";
import { storedFolderFilter } from "../../documents/folders/folder.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { AgentType } from "../comments/agent.ts";
import { withNulls } from "../with-nulls.ts";
import { CommentAnnotation } from "./annotation.ts";
import { countExisting, selectAnnotationPage } from "./annotation-filter-queries.ts";
import { groupByDocument } from "./group-by-document.ts";

const Time = Type.Optional(
  Type.Integer({ minimum: 0, maximum: MAX_TIME, description: "Milliseconds since the epoch, exclusive." }),
);

const agentFilters = {
  agentId: Type.Optional(Identifier),
  executionId: Type.Optional(Identifier),
  agentType: Type.Optional(AgentType),
  agentSource: Type.Optional(Identifier),
  agentSuggestions: Type.Optional(Type.Boolean({ description: "Only pending suggestions of agents." })),
  agentComments: Type.Optional(Type.Boolean({ description: "Only annotations of agents." })),
};

const AGENT_FILTERS = Object.keys(agentFilters);

const GetRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    documentIds: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: 30 })),
    folderId: Type.Optional(Identifier),
    locationIds: Type.Optional(Identifiers),
    anchorEditorIds: Type.Optional(Identifiers),
    annotationIds: Type.Optional(Identifiers),
    userIds: Type.Optional(Identifiers),
    mentionedUserIds: Type.Optional(Identifiers),
    statusIds: Type.Optional(Identifiers),
    statusId: Type.Optional(Identifier),
    resolvedBy: Type.Optional(Identifier),
    ...agentFilters,
    order: Type.Optional(Order),
    createdAfter: Time,
    createdBefore: Time,
    updatedAfter: Time,
    updatedBefore: Time,
    groupByDocumentId: Type.Optional(Type.Boolean({ default: false })),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  (request) => Object.entries(request).filter(([name, value]) => value && AGENT_FILTERS.includes(name)).length <= 1,
  () => `must have at most one of ${AGENT_FILTERS.join(", ")}`,
);

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
    "filters. Reading does not mark annotations as read; use `/v2/commentannotations/read` for that.\n\nIf a user " +
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
  { organizationId, groupByDocumentId, ...request }: Static<typeof GetRequest>,
) {
  const { order = DEFAULT_ORDER, pageSize = DEFAULT_PAGE_SIZE, pageToken: _, folderId, ...given } = request;
  const filters = { ...given, folderId: storedFolderFilter(folderId), seenBy: user };
  const scope = openOrganization(database, workspace, organizationId);
  const [createdAt, sequence, placesBefore = 0] = cursor ?? [];
  const after = createdAt === undefined || sequence === undefined ? undefined : [createdAt, sequence];
  const page = await selectAnnotationPage(scope, filters, { order, pageSize, after, placesBefore });
  assertAccessible(page.extra, organizationId);
  const next = page.next && [...page.next, placesBefore + page.length];
  if (groupByDocumentId) return new Page(new JsonText(groupByDocument(page.records)), next);
  const { annotationIds } = filters;
  const records =
    annotationIds && next === undefined
      ? withNulls(page.records, annotationIds, await countExisting(scope, filters))
      : new JsonText(page.records);
  return new Page(records, next);
}

import Type from "typebox";
import { JsonText, operation, Page } from "../../../contract/operation.ts";
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
import { assertAccessible } from "../../tenancy/access.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { CommentAnnotation } from "./annotation.ts";
import { selectAnnotationPage } from "./filters/queries.ts";
import { groupByDocument } from "./group-by-document.ts";

const Time = Type.Optional(
  Type.Integer({ minimum: 0, maximum: MAX_TIME, description: "Milliseconds since the epoch, exclusive." }),
);

/** Reads annotations with their comments, newest first by default. Filters combine with AND, lists with OR. */
export const getCommentAnnotations = operation({
  path: "/v2/commentannotations/get",
  summary: "Read comment annotations with their comments",
  description:
    "Returns annotations, newest first unless `order` is `asc`; the comments of each are ordered oldest first. " +
    "Filters combine with AND, the values of one list with OR. `userIds` filters by participants, who started " +
    "the annotation or commented in it; `mentionedUserIds` by users tagged in its comments. `updatedAfter` and " +
    "`updatedBefore` compare `lastUpdated`, which changes with everything that this operation returns. With " +
    "`groupByDocumentId` the annotations of a page are returned as an object keyed by document ID. If there are " +
    "more, the answer has a `nextPageToken`, repeated as `pageToken`; send it as `pageToken` with the same filters. " +
    "Reading does not mark annotations as read; use `/v2/commentannotations/update` for that.",
  message: "Comment annotations retrieved.",
  request: Type.Object({
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    documentIds: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: 30 })),
    locationIds: Type.Optional(Identifiers),
    annotationIds: Type.Optional(Identifiers),
    userIds: Type.Optional(Identifiers),
    mentionedUserIds: Type.Optional(Identifiers),
    statusIds: Type.Optional(Identifiers),
    order: Type.Optional(Order),
    createdAfter: Time,
    createdBefore: Time,
    updatedAfter: Time,
    updatedBefore: Time,
    groupByDocumentId: Type.Optional(Type.Boolean({ default: false })),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  response: Type.Union([Type.Array(CommentAnnotation), perId(Type.Array(CommentAnnotation))]),
  cursor: Type.Array(Type.Integer(), { description: "time of creation, sequence" }),
  pageTokenNames: ["nextPageToken", "pageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", pageSize: 50 },
  async handle({ workspace, database, cursor }, { organizationId, groupByDocumentId, ...request }) {
    const { order = DEFAULT_ORDER, pageSize = DEFAULT_PAGE_SIZE, pageToken: _, ...filters } = request;
    const key = organizationKey(workspace.id, organizationId);
    const page = await selectAnnotationPage(database, key, filters, { order, pageSize, after: cursor });
    assertAccessible(page.extra, organizationId);
    return new Page(new JsonText(groupByDocumentId ? groupByDocument(page.records) : page.records), page.next);
  },
});

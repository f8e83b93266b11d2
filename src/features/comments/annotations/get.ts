import Type from "typebox";
import { JsonText, operation, Page } from "../../../contract/operation.ts";
import { Identifier, Identifiers, PageSize, PageToken, perId } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { CommentAnnotation } from "./annotation.ts";
import { selectPage } from "./filters/queries.ts";
import { groupByDocument } from "./group-by-document.ts";

const Time = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 8.64e15, description: "Milliseconds since the epoch, itself not included." }),
);

/** Newest first unless `order` says otherwise. Filters combine with AND, the values in one list with OR. */
export const getCommentAnnotations = operation({
  path: "/v2/commentannotations/get",
  summary: "Read comment annotations with their comments",
  description:
    "Newest first unless `order` is `asc`; the comments in each oldest first. Filters combine with AND, the values " +
    "inside one list with OR. `userIds` are those who take part: who have started the annotation or commented in " +
    "it; `mentionedUserIds` those who are tagged in its comments. `updatedAfter` and `updatedBefore` go by " +
    "`lastUpdated`, which changes with everything that this operation returns. With `groupByDocumentId` the " +
    "annotations of the page come as an object keyed by document id. A `pageToken` comes back when there is more; " +
    "send it with the same filters. Reading does not mark as read; `/v2/commentannotations/update` does.",
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
    order: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
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
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", pageSize: 50 },
  async handle({ workspace, database, cursor }, { organizationId, groupByDocumentId, ...request }) {
    const { order = "desc", pageSize = 1000, pageToken: _, ...filters } = request;
    const key = organizationKey(workspace.id, organizationId);
    const page = await selectPage(database, key, filters, { order, pageSize, after: cursor });
    assertAccessible(page.extra, organizationId);
    return new Page(new JsonText(groupByDocumentId ? groupByDocument(page.records) : page.records), page.next);
  },
});

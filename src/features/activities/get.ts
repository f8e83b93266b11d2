import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import {
  DEFAULT_ORDER,
  DEFAULT_PAGE_SIZE,
  Identifier,
  Identifiers,
  Order,
  PageSize,
  PageToken,
  timeFilters,
} from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { Activity, FeatureTypes } from "./activity.ts";
import { selectActivityPage } from "./activity-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  targetEntityId: Type.Optional(Identifier),
  featureTypes: Type.Optional(FeatureTypes),
  actionTypes: Type.Optional(Identifiers),
  userId: Type.Optional(Identifier),
  activityIds: Type.Optional(Identifiers),
  query: Type.Optional(Identifier),
  ...timeFilters,
  order: Type.Optional(Order),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads activity records, newest first by default. Filters combine with AND, the values in one list with OR. */
export const getActivities = operation({
  path: "/v2/activities/get",
  summary: "Read activities",
  description:
    "Returns activities, newest first unless `order` is `asc`. Filters combine with AND, the values of one list " +
    "with OR. `userId` filters by the `userId` of `actionUser`. `query` searches the message template and the texts " +
    "in its data, the name of the user, and the action type, without regard to case: all words must occur, those in " +
    "quotation marks one after the other, and those after `-` must not; of two words with `or` in between, one must. " +
    "Words are found whole. A URL, a path and an email address are one word each, and so is a text without spaces " +
    "and punctuation, such as a sentence in Chinese or Japanese. " +
    "If there are more, the response has a `pageToken`; send it with the same filters. Users who send no " +
    "`documentId` get the activities of all documents of the organization that they may read. With a user token, " +
    "`query` finds no email addresses, unless the workspace has `showUserEmails`.",
  message: "Activities retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "optionalDocuments" },
  request: Request,
  response: Type.Array(Activity),
  cursor: Type.Array(Type.Integer(), { description: "timestamp, sequence" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", pageSize: 50 },
  handle,
});

/** Addresses in a query, which would tell users whether the hidden one of another user is among them. */
const ADDRESSES = /[^\s"]+@[^\s"]+/g;

async function handle(
  { database, workspace, cursor, user }: Context<number[]>,
  { organizationId, pageSize = DEFAULT_PAGE_SIZE, order = DEFAULT_ORDER, ...given }: Static<typeof Request>,
) {
  const isHidingAddresses = user && !workspace.showUserEmails;
  const query = isHidingAddresses ? given.query?.replace(ADDRESSES, " ") : given.query;
  const filters = { ...given, query, seenBy: user };
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectActivityPage(scope, filters, { order, pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}

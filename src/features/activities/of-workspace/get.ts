import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { Identifier, Identifiers, PageToken, timeFilters } from "../../../contract/schema.ts";
import { transactionalAcrossOrganizations } from "../../tenancy/organization-scope.ts";
import { Activity, FeatureTypes } from "../activity.ts";
import { selectWorkspaceActivityPage } from "./workspace-activity-queries.ts";

const Request = Type.Object({
  userId: Type.Optional(Identifier),
  featureTypes: Type.Optional(FeatureTypes),
  actionTypes: Type.Optional(Identifiers),
  query: Type.Optional(Identifier),
  ...timeFilters,
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  pageToken: Type.Optional(PageToken),
});

/** Reads the activities of the whole workspace, newest first. */
export const getWorkspaceActivities = operation({
  path: "/v2/workspace/activities/get",
  summary: "Read the activities of all organizations",
  description:
    "Returns activities in the format of `/v2/activities/get`, newest first; `metadata` names organization and " +
    "document. The filters are those of `/v2/activities/get` that do not belong to one organization. Disabled " +
    "documents, and organizations that are disabled or being deleted, are left out. If there are more, the response " +
    "has a `pageToken`; send it with the same filters.",
  message: "Activities retrieved.",
  scope: "read",
  request: Request,
  response: Type.Array(Activity),
  cursor: Type.Array(Type.Integer(), { description: "timestamp, sequence" }),
  example: { pageSize: 20 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<number[]>,
  { pageSize = 20, ...filters }: Static<typeof Request>,
) {
  const page = await selectWorkspaceActivityPage(transactionalAcrossOrganizations(database), workspace.id, filters, {
    pageSize,
    after: cursor,
  });
  return new Page(new JsonText(page.records), page.next);
}

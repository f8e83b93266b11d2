import Type, { type Static } from "typebox";
import { type Context, JsonText, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { selectActionTypes } from "./action-type-queries.ts";

const DEFAULT_LIMIT = 50;

const Request = Type.Object({
  organizationId: Identifier,
  search: Type.Optional(Identifier),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: DEFAULT_LIMIT })),
});

/** Reads the action types that activities of an organization have. */
export const getActionTypes = operation({
  path: "/v2/activities/actiontypes/get",
  summary: "Read the action types of activities",
  description:
    "Returns each `actionType` of the activities of the organization once, in order, up to `limit`; with `search` " +
    "those that start with it. Activities of disabled documents do not count.",
  message: "Action types retrieved.",
  scope: "read",
  request: Request,
  response: Type.Array(Type.String(), { examples: [["comment.add", "contract.sign"]] }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", search: "c" },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, search, limit = DEFAULT_LIMIT }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const { actionTypes, block } = await selectActionTypes(scope, { search, limit });
  assertAccessible(block, organizationId);
  return new JsonText(JSON.stringify(actionTypes));
}

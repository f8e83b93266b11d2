import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Identifiers, PageSize, PageToken } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { LiveState } from "./live-state.ts";
import { selectLiveStatePage } from "./live-state-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  liveStateDataIds: Type.Optional(Identifiers),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the live states of a document by ID. */
export const getLiveStates = operation({
  path: "/v2/livestate/get",
  summary: "Read the live states of a document",
  description:
    "Returns the live states of a document ordered by ID, or with `liveStateDataIds` only these; those that do not " +
    "exist are left out. If there are more, the response has a `pageToken`.",
  message: "Live states retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Array(LiveState),
  cursor: Type.Array(Type.String(), { description: "live state ID" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", liveStateDataIds: ["review"] },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { organizationId, documentId, liveStateDataIds, ...options }: Static<typeof Request>,
) {
  const { pageSize = DEFAULT_PAGE_SIZE } = options;
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectLiveStatePage(scope, documentId, liveStateDataIds, { pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}

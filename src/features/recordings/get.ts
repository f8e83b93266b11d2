import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Identifiers, PageSize, PageToken } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { Recording } from "./recording.ts";
import { selectRecordingPage } from "./recording-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  recordingIds: Type.Optional(Identifiers),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads recordings, newest first. Filters combine with AND, ids with OR. */
export const getRecordings = operation({
  path: "/v2/recordings/get",
  summary: "Read recordings",
  description:
    "Returns the recordings of an organization or document, newest first. `recordingIds` limits them to these " +
    "IDs. If there are more, the response has a `pageToken`; send it with the same filters.",
  message: "Recordings retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Array(Recording),
  cursor: Type.Array(Type.Integer(), { description: "creation time, sequence" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<number[]>,
  { organizationId, documentId, recordingIds, pageSize = DEFAULT_PAGE_SIZE }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectRecordingPage(scope, { documentId, ids: recordingIds }, { pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}

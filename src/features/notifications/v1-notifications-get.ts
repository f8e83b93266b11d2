import Type, { type Static } from "typebox";
import { type Context, JsonText, operation } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifiers } from "../../contract/schema.ts";
import { isReadScope, Notification, READ_DESCRIPTION, readScopeFields, readScopeMessage } from "./notification.ts";
import { readPage } from "./read-page.ts";
import { shownTo } from "./shown-to.ts";

const GetRequest = Type.Refine(
  Type.Object({ ...readScopeFields, notificationIds: Type.Optional(Identifiers) }),
  isReadScope,
  readScopeMessage,
);

/** Reads the first page of /v2/notifications/get: the newest 1,000, or fewer if they pass 8 MiB. */
export const getNotificationsV1 = operation({
  path: "/v1/notifications/get",
  summary: "Read the newest notifications",
  description:
    `${READ_DESCRIPTION}. The response has at most 1,000 and ends with the one that exceeds 8 MiB; ` +
    "`/v2/notifications/get` " +
    "has pages.",
  message: "Notifications retrieved.",
  scope: "read",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] } },
  request: GetRequest,
  response: Type.Array(Notification),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", userId: "grace" },
  handle,
});

async function handle({ database, workspace, user }: Context, scope: Static<typeof GetRequest>) {
  const page = await readPage(database, { workspace, user }, scope, {
    order: "desc",
    pageSize: DEFAULT_PAGE_SIZE,
    after: undefined,
  });
  return new JsonText(shownTo(user, page.records));
}

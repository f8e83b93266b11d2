import Type from "typebox";
import { JsonText, operation } from "../../contract/operation.ts";
import { Identifiers } from "../../contract/schema.ts";
import { findingScopeFault, foundScopeFields, isFindingScope, Notification } from "./notification.ts";
import { readPage } from "./read-page.ts";

const GetRequest = Type.Refine(
  Type.Object({ ...foundScopeFields, notificationIds: Type.Optional(Identifiers) }),
  isFindingScope,
  findingScopeFault,
);

/** As /v2/notifications/get, without pages: the newest 1,000, fewer where they pass 8 MiB. */
export const getNewestNotifications = operation({
  path: "/v1/notifications/get",
  summary: "Read the newest notifications",
  description:
    "Accepted are `organizationId` with `documentId`, with `userId` or with both, each also with `locationId` and " +
    "`notificationIds`. Without `organizationId`, `documentId` with `userId`, with `locationId` or with both reads " +
    "every organization that has a document of this id, and is refused when one of them is disabled.\n\n" +
    "With `userId` it is that user's list: what has reached it and has not left it by being read. " +
    "Without `userId` nothing is left out. Newest first, at most 1,000, and none behind the one that passes 8 MiB; " +
    "`/v2/notifications/get` has pages.",
  message: "Notifications retrieved.",
  request: GetRequest,
  response: Type.Array(Notification),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", userId: "grace" },
  async handle({ workspace, database }, scope) {
    const page = await readPage(database, workspace.id, scope, { order: "desc", pageSize: 1000, after: undefined });
    return new JsonText(page.records);
  },
});

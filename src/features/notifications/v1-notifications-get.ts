import Type from "typebox";
import { JsonText, operation } from "../../http/operation.ts";
import { Identifiers } from "../../http/schema.ts";
import { refuseObstacle } from "../organizations/organization.ts";
import { organizationKey } from "../organizations/organization-key.ts";
import { isReadingScope, Notification, readingScopeFault, scopeFields } from "./notification.ts";
import { selectPage } from "./queries.ts";

const GetRequest = Type.Refine(
  Type.Object({ ...scopeFields, notificationIds: Type.Optional(Identifiers) }),
  isReadingScope,
  readingScopeFault,
);

/** As /v2/notifications/get, without pages: the newest 1,000, fewer where they pass 8 MiB. */
export const getNewestNotifications = operation({
  path: "/v1/notifications/get",
  summary: "Read the newest notifications",
  description:
    "Accepted are `organizationId` with `documentId`, with `userId` or with both, each also with `locationId` and " +
    "`notificationIds`. With `userId` it is that user's list: what has reached it and has not left it by being read. " +
    "Without `userId` nothing is left out. Newest first, at most 1,000, and none behind the one that passes 8 MiB; " +
    "`/v2/notifications/get` has pages.",
  message: "Notifications retrieved.",
  request: GetRequest,
  response: Type.Array(Notification),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", userId: "grace" },
  async handle({ workspace, database }, { organizationId, ...scope }) {
    const key = organizationKey(workspace.id, organizationId);
    const page = await selectPage(database, key, scope, { order: "desc", pageSize: 1000, after: undefined });
    refuseObstacle(page.beside, organizationId);
    return new JsonText(page.records);
  },
});

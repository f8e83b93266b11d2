import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../../contract/schema.ts";
import { DocumentIds } from "../../documents/document.ts";
import { ensureDocument } from "../../implicit-creation/ensure-document.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { insertMissingUsers } from "../../users/user-queries.ts";
import { NewConfig, NO_DOCUMENT } from "./notification-config.ts";
import { writeConfigs } from "./notification-config-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  userIds: Identifiers,
  documentIds: Type.Optional(DocumentIds),
  config: NewConfig,
});

/** Sets preferences for notifications added from now on. Inboxes stay unchanged. */
export const setNotificationConfigs = operation({
  path: "/v2/notifications/config/set",
  aliases: ["/v1/notifications/config/set"],
  summary: "Set users' notification preferences",
  description:
    "Sets preferences for the documents or, without `documentIds`, for the organization. Channels that are not " +
    "sent are kept. `null` removes a preference: that for the organization then applies to the document, or `ALL` to " +
    "the organization. The preferences apply to notifications that are added later; inboxes keep what they contain. " +
    "A missing organization and, for backends, missing records of users are created. A preference gives no " +
    "permission, so `notifyAll` does not reach users who have nothing else.",
  message: "Notification preferences set.",
  scope: "write",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userIds[]"] }, changes: "own" },
  request: Request,
  response: perId(
    Type.Interface([ItemResult], {
      userId: Identifier,
      documentId: Type.Optional(Type.String({ description: "The first of `documentIds`." })),
    }),
  ),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    userIds: ["grace"],
    documentIds: ["contract-7"],
    config: { inbox: "MINE", email: "NONE" },
  },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, userIds, documentIds, config }: Static<typeof Request>,
) {
  const ids = [...new Set(userIds)];
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await ensureDocument(scope);
    await requireAccessible(scope, documentIds);
    // A user token creates no records of users.
    if (!user) await insertMissingUsers(scope, ids);
    await writeConfigs(scope, {
      userIds: ids,
      documentIds: [...new Set(documentIds ?? [NO_DOCUMENT])],
      config,
    });
  });
  const documentId = documentIds?.[0];
  return keyedById(
    ids.map((id) => [
      id,
      { success: true, message: "Notification preferences set.", userId: id, ...(documentId && { documentId }) },
    ]),
  );
}

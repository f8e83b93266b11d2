import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../../contract/schema.ts";
import { DocumentIds } from "../../documents/document.ts";
import { ensureDocument } from "../../tenancy/ensure-document.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { insertMissingUsers } from "../../users/queries.ts";
import { NewConfig, ORGANIZATION_LEVEL } from "./notification-config.ts";
import { writeConfigs } from "./queries.ts";

/** Acts on what is added from then on; the lists keep what they have. */
export const setNotificationConfigs = operation({
  path: "/v2/notifications/config/set",
  summary: "Set users' notification preferences",
  description:
    "For the given documents, or without `documentIds` for the organization's level. The channels that are sent are " +
    "set, the others stay as they are. It acts on notifications added from then on: what a list holds stays in it. " +
    "The organization and its users are created where they are missing, so that a user with a preference is one whom " +
    "`notifyAll` reaches.",
  message: "Notification preferences set.",
  request: Type.Object({
    organizationId: Identifier,
    userIds: Identifiers,
    documentIds: Type.Optional(DocumentIds),
    config: NewConfig,
  }),
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    userIds: ["grace"],
    documentIds: ["contract-7"],
    config: { inbox: "MINE", email: "NONE" },
  },
  async handle({ workspace, database }, { organizationId, userIds, documentIds = [ORGANIZATION_LEVEL], config }) {
    const key = organizationKey(workspace.id, organizationId);
    const ids = [...new Set(userIds)];
    await database.transaction(async (transaction) => {
      await ensureDocument(transaction, { organizationKey: key, workspaceId: workspace.id, organizationId });
      await insertMissingUsers(transaction, key, ids);
      await writeConfigs(transaction, key, { userIds: ids, documentIds: [...new Set(documentIds)], config });
    });
    return keyedById(ids.map((id) => [id, { success: true, message: "Notification preferences set." }]));
  },
});

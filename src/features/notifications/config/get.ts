import Type, { type Static } from "typebox";
import { operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { DocumentIds } from "../../documents/document.ts";
import { assertAccessible } from "../../tenancy/access.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { NotificationConfig, ORGANIZATION_LEVEL } from "./notification-config.ts";
import { type SetConfig, selectConfigs } from "./queries.ts";

const GetRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentIds: Type.Optional(DocumentIds),
    userId: Identifier,
    getOrganizationConfig: Type.Optional(Type.Boolean({ default: false })),
  }),
  ({ documentIds, getOrganizationConfig }) => documentIds !== undefined || getOrganizationConfig === true,
  () => "must have documentIds, or getOrganizationConfig as true",
);

/** What is in force, whether it was said for the document, for the organization, or not at all. */
export const getNotificationConfigs = operation({
  path: "/v2/notifications/config/get",
  summary: "Read a user's notification preferences",
  description:
    "Returns the effective preferences of the user: one record for each of `documentIds` in their order or, with " +
    "`getOrganizationConfig`, one for the organization without `documentId`. Each channel has the value for the " +
    "document; if not set, the value for the organization; if not set, `ALL`. `slack` is missing if it was never " +
    "set.",
  message: "Notification preferences retrieved.",
  request: GetRequest,
  response: Type.Array(NotificationConfig),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7", "contract-8"], userId: "grace" },
  async handle({ workspace, database }, { organizationId, documentIds = [], userId, getOrganizationConfig }) {
    const key = organizationKey(workspace.id, organizationId);
    const asked = getOrganizationConfig ? [ORGANIZATION_LEVEL] : documentIds;
    const { configs, block } = await selectConfigs(database, key, userId, [...asked, ORGANIZATION_LEVEL]);
    assertAccessible(block, organizationId);
    const byDocument = new Map(configs.map((config) => [config.documentId, config]));
    const general = byDocument.get(ORGANIZATION_LEVEL);
    const metadata = { organizationId, apiKey: workspace.apiKey };
    return asked.map((documentId) => ({
      config: inForce(byDocument.get(documentId), general),
      metadata: documentId === ORGANIZATION_LEVEL ? { ...metadata, userId } : { ...metadata, documentId, userId },
    }));
  },
});

function inForce(
  own: SetConfig | undefined,
  general: SetConfig | undefined,
): Static<typeof NotificationConfig>["config"] {
  const slack = own?.slack ?? general?.slack;
  return {
    inbox: own?.inbox ?? general?.inbox ?? "ALL",
    email: own?.email ?? general?.email ?? "ALL",
    ...(slack !== undefined && { slack }),
  };
}

import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { NO_DOCUMENT, NotificationConfig } from "./notification-config.ts";
import { selectPreferences } from "./notification-config-queries.ts";

const GetRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentIds: Type.Optional(Type.Array(Identifier, { maxItems: 30 })),
    userId: Identifier,
    getOrganizationConfig: Type.Optional(Type.Boolean({ default: false })),
  }),
  ({ documentIds, getOrganizationConfig }) => Boolean(documentIds?.length) || getOrganizationConfig === true,
  () => "must have at least 1 item in documentIds, or getOrganizationConfig as true",
);

function configExample(documentId: string) {
  const apiKey = "colloquy_key_0123456789abcdef0123456789abcdef";
  const config = { inbox: "MINE", email: "NONE" };
  return { config, metadata: { organizationId: "acme", apiKey, documentId, userId: "grace" } };
}

/** Reads the effective preferences, which are set for the document, for the organization, or by default. */
export const getNotificationConfigs = operation({
  path: "/v2/notifications/config/get",
  aliases: ["/v1/notifications/config/get"],
  summary: "Read a user's notification preferences",
  description:
    "Returns the effective preferences of the user: one record for each of `documentIds` in their order or, with " +
    "`getOrganizationConfig`, one for the organization without `documentId`. Each channel has the value for the " +
    "document; if not set, the value for the organization; if not set, `ALL`. `slack` is missing if it was never " +
    "set.",
  message: "Notification preferences retrieved.",
  scope: "read",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] } },
  request: GetRequest,
  response: Type.Array(NotificationConfig, { examples: [[configExample("contract-7"), configExample("contract-8")]] }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7", "contract-8"], userId: "grace" },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentIds = [], userId, getOrganizationConfig }: Static<typeof GetRequest>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const asked = getOrganizationConfig ? [NO_DOCUMENT] : documentIds;
  const { preferences, block } = await selectPreferences(scope, userId, asked);
  assertAccessible(block, organizationId);
  const metadata = { organizationId, apiKey: workspace.apiKey };
  return preferences.map(({ documentId, inbox, email, slack }) => ({
    config: { inbox, email, ...(slack !== null && { slack }) },
    metadata: documentId === NO_DOCUMENT ? { ...metadata, userId } : { ...metadata, documentId, userId },
  }));
}

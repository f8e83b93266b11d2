import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { cancelMessages } from "../delivery/sending/webhook-message-queries.ts";
import { changeableFields, Endpoint, requireWebhookUrl, toEndpoint } from "./endpoint.ts";
import { getWebhookEndpoints } from "./get.ts";
import { lockRequiredEndpoint } from "./require-endpoint.ts";
import { replaceEndpoint, selectEndpoint } from "./webhook-endpoint-queries.ts";

const UpdateRequest = Type.Refine(
  Type.Object({ endpointId: Identifier, ...Type.Partial(Type.Object(changeableFields)).properties }),
  (changes) => Object.keys(changes).length > 1,
  () => `must have at least one of ${Object.keys(changeableFields).join(", ")}`,
);

/** Replaces the fields sent. Takes effect within a second, also for messages that wait for another attempt. */
export const updateWebhookEndpoint = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/update",
  summary: "Update a webhook endpoint",
  description:
    "Replaces the fields that are sent and keeps the others; null removes a filter, the rate limit, the description " +
    "or the metadata. A disabled endpoint gets no further attempts: its pending messages are given up. Enabled " +
    "again, it gets the events from then on.",
  message: "Webhook endpoint updated.",
  scope: "admin",
  request: UpdateRequest,
  returned: {
    by: getWebhookEndpoints,
    id: "endpointId",
    returnedId: "id",
    request: () => ({ limit: 250 }),
  },
  response: Endpoint,
  audit: "webhook_endpoint.update",
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111", rateLimit: 10 },
  handle,
});

async function handle(
  context: Context,
  { endpointId, disabled: isDisabled, ...changes }: Static<typeof UpdateRequest>,
) {
  const { workspace, database, audit, allowPrivateAddresses } = context;
  if (changes.url !== undefined) requireWebhookUrl(changes.url, allowPrivateAddresses);
  const endpoint = await database.transaction(async (transaction) => {
    const row = await lockRequiredEndpoint(transaction, context, endpointId);
    const { id } = row;
    const disabled = isDisabled ?? row.disabled;
    const settings = JSON.stringify({ ...JSON.parse(row.settings), ...changes });
    const isEnabledAnew = row.disabled && !disabled;
    await replaceEndpoint(transaction, workspace.id, { id, settings, disabled, isEnabledAnew });
    const fields = [...Object.keys(changes), ...(isDisabled === undefined ? [] : ["disabled"])];
    await audit(transaction, { endpointId: id, fields });
    const updated = await selectEndpoint(transaction, workspace.id, id);
    return toEndpoint(updated ?? row);
  });
  if (endpoint.disabled) await cancelMessages(acrossOrganizations(database), endpoint.id);
  return endpoint;
}

import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { cancelMessages } from "../delivery/sending/webhook-message-queries.ts";
import { lockRequiredEndpoint } from "./require-endpoint.ts";
import { deleteEndpoint } from "./webhook-endpoint-queries.ts";

const Request = Type.Object({ endpointId: Identifier });

/** Deletes an endpoint with its secret. */
export const deleteWebhookEndpoint = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/delete",
  summary: "Delete a webhook endpoint",
  description: "Deletes the endpoint and its secret. It gets no further attempts.",
  message: "Webhook endpoint deleted.",
  scope: "admin",
  request: Request,
  deletes: ["endpointId"],
  response: Type.Object({ endpointId: Type.String(), deleted: Type.Boolean() }),
  audit: "webhook_endpoint.delete",
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111" },
  handle,
});

async function handle(context: Context, { endpointId }: Static<typeof Request>) {
  const { workspace, database, audit } = context;
  const id = await database.transaction(async (transaction) => {
    const endpoint = await lockRequiredEndpoint(transaction, context, endpointId);
    await deleteEndpoint(transaction, workspace.id, endpoint.id);
    await audit(transaction, { endpointId: endpoint.id });
    return endpoint.id;
  });
  await cancelMessages(acrossOrganizations(database), id);
  return { endpointId: id, deleted: true };
}

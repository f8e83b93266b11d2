import type { Static } from "typebox";
import { formatCount } from "../../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import { ServiceError } from "../../../contract/errors.ts";
import { limitError } from "../../../contract/limit-error.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { newId } from "../../../database/new-id.ts";
import {
  Endpoint,
  generateSecret,
  NewEndpoint,
  requireAdvancedWebhooks,
  requireWebhookUrl,
  secretBinding,
  toEndpoint,
} from "./endpoint.ts";
import { countEndpoints, insertEndpoint } from "./webhook-endpoint-queries.ts";

/** Creates an endpoint with a secret of its own. */
export const createWebhookEndpoint = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/create",
  summary: "Create a webhook endpoint",
  description:
    "The endpoint gets the events from now on that match its filters. `uid` is an ID of your own: a second endpoint " +
    "with it is ALREADY_EXISTS, so a call with one can be retried. A workspace has at most 1,000 endpoints. " +
    "FAILED_PRECONDITION unless advanced webhooks are enabled.",
  message: "Webhook endpoint created.",
  scope: "admin",
  request: NewEndpoint,
  response: Endpoint,
  audit: "webhook_endpoint.add",
  errors: ["FAILED_PRECONDITION", "ALREADY_EXISTS"],
  example: { url: "https://acme.example/webhooks", filterTypes: ["comment.add", "comment_annotation.status_change"] },
  handle,
});

async function handle(context: Context, { uid, disabled = false, ...settings }: Static<typeof NewEndpoint>) {
  const { workspace, database, secrets, audit, allowPrivateAddresses } = context;
  requireWebhookUrl(settings.url, allowPrivateAddresses);
  const row = await database.transaction(async (transaction) => {
    await requireAdvancedWebhooks(context, transaction);
    if ((await countEndpoints(transaction, workspace.id)) >= RECORD_LIMITS.webhookEndpoints) {
      throw limitError(
        "webhook_endpoints",
        `The workspace has ${formatCount(RECORD_LIMITS.webhookEndpoints)} webhook endpoints; delete one first.`,
      );
    }
    const id = newId();
    const secret = secrets.encrypt(generateSecret(), secretBinding(id));
    const endpoint = { id, uid, settings: JSON.stringify(settings), disabled, secret };
    const inserted = await insertEndpoint(transaction, workspace.id, endpoint);
    if (!inserted) throw new ServiceError("already_exists", "A webhook endpoint with this uid exists already.");
    await audit(transaction, { endpointId: id });
    return inserted;
  });
  return toEndpoint(row);
}

import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { toBasicConfig, WebhookConfig } from "./webhook-config.ts";
import { selectWebhookConfig } from "./webhook-config-queries.ts";

/** Reads the configuration of basic webhooks, with the auth token in plain text. */
export const getWebhookConfig = operation({
  path: "/v2/workspace/webhookconfig/get",
  summary: "Read the configuration of basic webhooks",
  description:
    "Before the first update, `useWebhookService` is false and the texts are empty. Settings that were never sent " +
    "are missing. `authToken` is the secret in clear text: do not log the response. FAILED_PRECONDITION if " +
    "`SECRET_KEY` has changed since the token was stored.",
  message: "Webhook configuration retrieved.",
  scope: "admin",
  request: Type.Object({}),
  response: WebhookConfig,
  errors: ["FAILED_PRECONDITION"],
  example: {},
  handle,
});

async function handle({ database, workspace, secrets }: Context) {
  return toBasicConfig(secrets, workspace.id, await selectWebhookConfig(database, workspace.id));
}

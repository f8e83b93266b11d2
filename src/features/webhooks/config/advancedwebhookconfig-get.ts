import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { AdvancedWebhookConfig, toAdvancedSettings } from "./webhook-config.ts";
import { selectWebhookConfig } from "./webhook-config-queries.ts";

/** Reads the configuration of advanced webhooks. */
export const getAdvancedWebhookConfig = operation({
  path: "/v2/workspace/advancedwebhookconfig/get",
  summary: "Read the configuration of advanced webhooks",
  description: "Before the first update everything is false, and `publicKey` is empty.",
  message: "Advanced webhook configuration retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: AdvancedWebhookConfig,
  example: {},
  handle,
});

async function handle({ database, workspace }: Context) {
  return toAdvancedSettings(await selectWebhookConfig(database, workspace.id));
}

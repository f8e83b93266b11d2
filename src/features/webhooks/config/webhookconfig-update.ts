import Type, { type Static } from "typebox";
import { invalidField } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { keepEventLogForWebhooks } from "../../event-log/listening.ts";
import { rejectTooMany } from "../../workspaces/switches.ts";
import { countTriggers, mergeTriggers, type Triggers } from "../../workspaces/triggers.ts";
import { DEFAULT_TRIGGERS } from "./triggers.ts";
import {
  type BasicSettings,
  encryptAuthToken,
  isAnyWebhookEnabled,
  requireKeyToEncrypt,
  toBasicConfig,
  toBasicSettings,
  WebhookConfig,
  WebhookServiceConfigUpdate,
} from "./webhook-config.ts";
import { lockWebhookConfig, replaceWebhookConfig } from "./webhook-config-queries.ts";
import { findWebhookUrlError } from "./webhook-url.ts";

const CONFIG = "data.webhookServiceConfig";

const UpdateRequest = Type.Refine(
  Type.Object({
    useWebhookService: Type.Optional(Type.Boolean({ description: "Whether basic webhooks are sent." })),
    webhookServiceConfig: Type.Optional(WebhookServiceConfigUpdate),
  }),
  ({ useWebhookService, webhookServiceConfig }) =>
    useWebhookService !== undefined || webhookServiceConfig !== undefined,
  () => "must have at least one of useWebhookService, webhookServiceConfig",
);

/** Merges the fields sent. Takes effect at once on this process and within a second on the others. */
export const updateWebhookConfig = operation({
  path: "/v2/workspace/webhookconfig/update",
  summary: "Update the configuration of basic webhooks",
  description:
    "Replaces the fields that are sent, merges `triggers` by name, and keeps the others. A trigger with the flat " +
    "name of an event, such as `comment.add`, is read as `{ comment: { added } }`. If the service is enabled and no " +
    "triggers are stored, all of `comment` except `suggestionAccepted` and `suggestionRejected` are turned on, and " +
    "those of `crdt` and `recorder` off. With `encryptData` bodies are encrypted for `publicKey`, which is required " +
    "then; `encodeData` has no effect at the same time. URLs must be https, unless `ALLOW_PRIVATE_ADDRESSES` is " +
    "set. `authToken` is encrypted at rest and never logged.",
  message: "Webhook configuration updated.",
  scope: "admin",
  request: UpdateRequest,
  response: WebhookConfig,
  audit: "webhook_config.update",
  errors: ["FAILED_PRECONDITION"],
  example: {
    useWebhookService: true,
    webhookServiceConfig: {
      authToken: "c2VjcmV0",
      rawNotificationUrl: "https://example.com/webhooks/raw",
      processedNotificationUrl: "https://example.com/webhooks/processed",
      triggers: { comment: { added: true } },
    },
  },
  handle,
});

async function handle(
  context: Context,
  { useWebhookService, webhookServiceConfig = {} }: Static<typeof UpdateRequest>,
) {
  const { workspace, database, secrets, audit, workspaceChanged, allowPrivateAddresses } = context;
  const { authToken, triggers, ...changes } = webhookServiceConfig;
  for (const name of ["rawNotificationUrl", "processedNotificationUrl"] as const) {
    const error = changes[name] ? findWebhookUrlError(changes[name], allowPrivateAddresses) : undefined;
    if (error) throw invalidField(`${CONFIG}.${name}`, error);
  }
  const fields = [
    ...(useWebhookService === undefined ? [] : ["useWebhookService"]),
    ...Object.keys(webhookServiceConfig),
  ];
  const config = await database.transaction(async (transaction) => {
    const before = await lockWebhookConfig(transaction, workspace.id);
    const settings = toBasicSettings(before);
    const isEnabled = useWebhookService ?? settings.useWebhookService;
    const merged = triggersAfter(settings, triggers, isEnabled);
    const after = { ...settings, ...changes, useWebhookService: isEnabled, ...(merged && { triggers: merged }) };
    requireKeyToEncrypt(after, `${CONFIG}.publicKey`);
    const row = {
      ...before,
      basic: JSON.stringify(after),
      authToken: authToken === undefined ? before.authToken : encryptAuthToken(secrets, workspace.id, authToken),
    };
    await replaceWebhookConfig(transaction, workspace.id, row);
    await keepEventLogForWebhooks(transaction, context, isAnyWebhookEnabled(row));
    await audit(transaction, { fields });
    return toBasicConfig(secrets, workspace.id, row);
  });
  workspaceChanged();
  return config;
}

/** Returns the triggers after an update; undefined if none are stored. Throws INVALID_ARGUMENT if they are too many. */
function triggersAfter(
  { triggers: before }: BasicSettings,
  changes: Triggers | undefined,
  isEnabled: boolean,
): Triggers | undefined {
  const merged = changes ? mergeTriggers(before ?? {}, changes) : before;
  const count = countTriggers(merged ?? {});
  rejectTooMany(count, `${CONFIG}.triggers`);
  return isEnabled && count === 0 ? DEFAULT_TRIGGERS : merged;
}

import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { keepEventLogForWebhooks } from "../../event-log/listening.ts";
import {
  AdvancedWebhookConfig,
  advancedFields,
  isAnyWebhookEnabled,
  requireKeyToEncrypt,
  toAdvancedSettings,
} from "./webhook-config.ts";
import { lockWebhookConfig, replaceWebhookConfig } from "./webhook-config-queries.ts";

const UpdateRequest = Type.Refine(
  Type.Partial(Type.Object(advancedFields)),
  (changes) => Object.keys(changes).length > 0,
  () => `must have at least one of ${Object.keys(advancedFields).join(", ")}`,
);

/** Replaces the fields sent. Takes effect at once on this process and within a second on the others. */
export const updateAdvancedWebhookConfig = operation({
  path: "/v2/workspace/advancedwebhookconfig/update",
  summary: "Update the configuration of advanced webhooks",
  description:
    "Replaces the fields that are sent and keeps the others. The first update must have `isEnabled: true`, " +
    "otherwise it is FAILED_PRECONDITION. With `encryptData` bodies are encrypted for `publicKey`, which is " +
    "required then; `encodeData` has no effect at the same time.",
  message: "Advanced webhook configuration updated.",
  scope: "admin",
  request: UpdateRequest,
  response: AdvancedWebhookConfig,
  audit: "webhook_config.update",
  errors: ["FAILED_PRECONDITION"],
  example: { isEnabled: true, enableDataProtection: false },
  handle,
});

async function handle(context: Context, changes: Static<typeof UpdateRequest>) {
  const { workspace, database, audit, workspaceChanged } = context;
  const settings = await database.transaction(async (transaction) => {
    const before = await lockWebhookConfig(transaction, workspace.id);
    if (before.advanced === null && changes.isEnabled !== true) {
      throw new ServiceError("webhooks_disabled", "The first update must enable advanced webhooks: isEnabled: true.");
    }
    const after = { ...toAdvancedSettings(before), ...changes };
    requireKeyToEncrypt(after, "data.publicKey");
    const row = { ...before, advanced: JSON.stringify(after) };
    await replaceWebhookConfig(transaction, workspace.id, row);
    await keepEventLogForWebhooks(transaction, context, isAnyWebhookEnabled(row));
    await audit(transaction, { fields: Object.keys(changes) });
    return after;
  });
  workspaceChanged();
  return settings;
}

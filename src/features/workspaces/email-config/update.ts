import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { mergeSwitches } from "../switches.ts";
import {
  decryptKey,
  EmailServiceConfigUpdate,
  encryptKey,
  getConnection,
  parseSettings,
  type Settings,
} from "./email-config.ts";
import { lockEmailConfig, replaceEmailConfig } from "./email-config-queries.ts";

const UpdateRequest = Type.Refine(
  Type.Object({
    useEmailService: Type.Optional(Type.Boolean({ description: "Whether mails are sent with these settings." })),
    emailServiceConfig: Type.Optional(EmailServiceConfigUpdate),
  }),
  ({ useEmailService, emailServiceConfig }) => useEmailService !== undefined || emailServiceConfig !== undefined,
  () => "must have at least one of useEmailService, emailServiceConfig",
);

/**
 * Merges the fields sent. Rejects enabling a provider without what it needs. Takes effect at once on this process and
 * within a second on the others.
 */
export const updateEmailConfig = operation({
  path: "/v2/workspace/emailconfig/update",
  summary: "Update the email configuration",
  description:
    "Replaces the fields that are sent, merges `triggers` by name, and keeps the others. Exception: if `type` " +
    "changes and no `apiKey` is sent, the stored key is deleted. While `useEmailService` is true, mails are sent " +
    "for the `triggers` that are true, and every `type` except `default` requires `fromEmail` and an `apiKey`: " +
    "for `sendgrid`, `postmark` and `resend` the key of the provider; for `mailgun` the SMTP password, or " +
    "`login:password`; for `ses` the SMTP credentials as `user:password` (us-east-1) or `region:user:password`; " +
    "for `smtp` an address such as `smtps://user:password@mail.example.com:465`. The key is encrypted at rest " +
    "and never logged.",
  message: "Email configuration updated.",
  scope: "admin",
  request: UpdateRequest,
  response: Type.Null(),
  audit: "email_config.update",
  errors: ["FAILED_PRECONDITION"],
  example: {
    useEmailService: true,
    emailServiceConfig: {
      type: "sendgrid",
      apiKey: "SG.example",
      fromEmail: "notices@example.com",
      fromCompany: "Acme",
      commentTemplateId: "",
      tagTemplateId: "",
      triggers: { "comment_annotation.add": true, "comment.add": false },
    },
  },
  handle,
});

async function handle(context: Context, { useEmailService, emailServiceConfig = {} }: Static<typeof UpdateRequest>) {
  const { workspace, database, secrets, audit, workspaceChanged } = context;
  const { apiKey: newKey, ...changes } = emailServiceConfig;
  const fields = [...(useEmailService === undefined ? [] : ["useEmailService"]), ...Object.keys(emailServiceConfig)];
  await database.transaction(async (transaction) => {
    const row = await lockEmailConfig(transaction, workspace.id);
    const before = parseSettings(row);
    const after: Settings = {
      ...before,
      ...changes,
      useEmailService: useEmailService ?? before.useEmailService,
      triggers: mergeSwitches(before.triggers, changes.triggers, "data.emailServiceConfig.triggers"),
    };
    // The API key of one provider is not sent to another.
    const key = newKey ?? (after.type === before.type ? undefined : "");
    if (after.useEmailService) {
      getConnection(after, key ?? decryptKey(secrets, workspace.id, row));
    }
    await replaceEmailConfig(transaction, workspace.id, {
      settings: JSON.stringify(after),
      apiKey: key === undefined ? (row?.apiKey ?? null) : encryptKey(secrets, workspace.id, key),
    });
    await audit(transaction, { fields });
  });
  workspaceChanged();
  return null;
}

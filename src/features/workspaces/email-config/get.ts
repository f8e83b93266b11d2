import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { decryptKey, EmailConfig, parseSettings } from "./email-config.ts";
import { selectEmailConfig } from "./email-config-queries.ts";

/** Reads the email configuration, with the provider's API key in plain text. */
export const getEmailConfig = operation({
  path: "/v2/workspace/emailconfig/get",
  summary: "Read the email configuration",
  description:
    "Before the first update, `useEmailService` is false, `type` is `default` and the texts are empty. " +
    "`triggers` is missing if none is set. `apiKey` is the secret in clear text: do not log the response. " +
    "FAILED_PRECONDITION if `SECRET_KEY` has changed since the key was stored.",
  message: "Email configuration retrieved.",
  scope: "admin",
  request: Type.Object({}),
  response: EmailConfig,
  errors: ["FAILED_PRECONDITION"],
  example: {},
  handle,
});

async function handle({ database, workspace, secrets }: Context) {
  const row = await selectEmailConfig(database, workspace.id);
  const { useEmailService, triggers, ...settings } = parseSettings(row);
  return {
    useEmailService,
    emailServiceConfig: {
      ...settings,
      apiKey: decryptKey(secrets, workspace.id, row),
      ...(Object.keys(triggers).length > 0 && { triggers }),
    },
  };
}

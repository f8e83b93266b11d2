import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { decryptKey, EmailConfig, settingsOf } from "./email-config.ts";
import { selectEmailConfig } from "./queries.ts";

/** The provider key comes back in clear, to the caller who has set it. */
export const getEmailConfig = operation({
  path: "/v2/workspace/emailconfig/get",
  summary: "Read the email configuration",
  description:
    "Before any update `useEmailService` is false, `type` is `default` and the texts are empty. `triggers` is there " +
    "when some are set. `apiKey` is the secret itself: keep the answer out of logs. FAILED_PRECONDITION when the " +
    "server's `SECRET_KEY` has changed since the key was stored.",
  message: "Email configuration retrieved.",
  request: Type.Object({}),
  response: EmailConfig,
  errors: ["FAILED_PRECONDITION"],
  example: {},
  async handle({ workspace, database, secrets }) {
    const row = await selectEmailConfig(database, workspace.id);
    const { useEmailService, triggers, ...settings } = settingsOf(row);
    return {
      useEmailService,
      emailServiceConfig: {
        ...settings,
        apiKey: decryptKey(secrets, workspace.id, row),
        ...(Object.keys(triggers).length > 0 && { triggers }),
      },
    };
  },
});

import Type, { type Static } from "typebox";
import { limitError } from "../../../contract/limit-error.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { ItemResult } from "../../../contract/schema.ts";
import { newId } from "../../../database/new-id.ts";
import { isEmailAddress } from "../../../email/address.ts";
import { renderTestMail } from "../../../email/test-mail.ts";
import { recordWorkspaceMail } from "../workspace-mail-queries.ts";
import { getSender, getSending, parseSettings, type Settings } from "./email-config.ts";
import { selectEmailConfig } from "./email-config-queries.ts";

/** Timeout of one attempt: less than a caller waits, more than a connection and a greeting take. */
const TIMEOUT_MS = 15_000;

/** Workspaces that wait for a mail server. An unresponsive server must not delay more than one request of each. */
const underWay = new Set<string>();

const Route = Type.Enum(["workspace", "server", "outbox"], {
  description: "Destination of the mail: the workspace's provider, the server of `SMTP_URL`, or the outbox.",
});
type Route = Static<typeof Route>;

const Request = Type.Object({
  email: Type.Refine(
    Type.String({ description: "Recipient of the mail." }),
    isEmailAddress,
    () => "must be an email address, such as ada@example.com",
  ),
});

/** Makes one attempt to send a test mail and returns its outcome. */
export const sendTestMail = operation({
  path: "/v2/workspace/email/send-test-mail",
  summary: "Send a test mail",
  description:
    "Sends a mail by the route of the workspace's mails: by its provider if `useEmailService` is true and `type` " +
    "is not `default`, otherwise by the server's `SMTP_URL`, otherwise into the outbox. The response comes within " +
    "15 seconds: `success` says whether the mail was accepted, `route` where it was sent, and `message` explains " +
    "the outcome. An accepted mail may still not arrive. A second test mail of the workspace at the same time is " +
    "RESOURCE_EXHAUSTED. FAILED_PRECONDITION if `SECRET_KEY` has changed since the provider key was stored.",
  message: "Test mail attempted.",
  scope: "admin",
  request: Request,
  response: Type.Interface(
    [ItemResult],
    { route: Route },
    { examples: [{ success: true, message: "The mail server of sendgrid accepted the mail.", route: "workspace" }] },
  ),
  errors: ["FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"],
  example: { email: "ada@example.com" },
  handle,
});

async function handle(
  { workspace, database, earlyReads, mailer, secrets, log }: Context,
  { email }: Static<typeof Request>,
) {
  const row = await selectEmailConfig(earlyReads, workspace.id);
  const sending = getSending(secrets, workspace.id, row);
  const settings = sending?.settings ?? parseSettings(undefined);
  const from = getSender(mailer, settings);
  const to = { name: "", address: email };
  const mail = { id: newId(), from, to, createdAt: Date.now(), isTransactional: true, ...renderTestMail() } as const;
  if (underWay.has(workspace.id)) {
    throw limitError("test_mails", "Another test mail is being sent. Try again in a second.");
  }
  underWay.add(workspace.id);
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const mark = { workspaceId: workspace.id, userKeys: [] };
    const options = { provider: sending?.provider, mark, signal: limit };
    const result = await mailer.send(mail, options);
    const { outcome, reason } = result;
    const cause = limit.aborted ? "it did not respond within 15 seconds" : (result.explanation ?? outcome);
    const about = { id: mail.id, kind: "test", address: email } as const;
    // No other attempt follows.
    const final = outcome === "deferred" ? "rejected" : outcome;
    const recorded = outcome === "sent" ? result : { ...result, outcome: final, explanation: cause };
    await recordWorkspaceMail(database, [workspace.id], about, recorded);
    const route: Route = sending?.provider ? "workspace" : serverOrOutbox(mailer);
    const advice = sending || !row ? "" : UNUSED_SETTINGS;
    if (outcome === "sent") return { success: true, message: `${acceptance(route, settings)}${advice}`, route };
    log.warn({ mail: mail.id, workspaceId: workspace.id, outcome, reason }, "a test mail was not accepted");
    const message = `${serverName(route, settings)} did not accept the mail: ${cause}.${advice}`;
    return { success: false, message, route };
  } finally {
    underWay.delete(workspace.id);
  }
}

const UNUSED_SETTINGS = " The workspace's own settings were not used, because useEmailService is false.";

function serverOrOutbox({ hasServer }: { hasServer: boolean }): Route {
  return hasServer ? "server" : "outbox";
}

function acceptance(route: Route, settings: Settings): string {
  if (route === "outbox") return "The mail is in the outbox, because SMTP_URL is not set.";
  return `${serverName(route, settings)} accepted the mail.`;
}

function serverName(route: Route, { type }: Settings): string {
  if (route !== "workspace") return "The mail server of SMTP_URL";
  return type === "smtp" ? "The workspace's mail server" : `The mail server of ${type}`;
}

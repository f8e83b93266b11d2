import Type, { type Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import { type PublicContext, publicOperation } from "../../contract/operation.ts";
import { MAX_WEB_URL_LENGTH, parseWebUrl } from "../../contract/web-url.ts";
import { newId } from "../../database/new-id.ts";
import { isEmailAddress } from "../../email/address.ts";
import { SEND_LOGIN_LINK, sealedRequest } from "./login-link-job.ts";
import { admitAttempt } from "./rate-limit.ts";
import { comparedAddress } from "./sessions/session-queries.ts";

const EmailAddress = Type.String({
  minLength: 1,
  description: "Address of the owner, compared case-insensitively for A to Z.",
  examples: ["ada@acme.example"],
});
const ContinueUrl = Type.String({
  minLength: 1,
  maxLength: MAX_WEB_URL_LENGTH,
  description: "Page to continue on after signing in; the default is the console.",
  examples: ["https://app.acme.example/welcome"],
});

const Request = Type.Object({ email: EmailAddress, continueUrl: Type.Optional(ContinueUrl) });

/** Sends a login link. Does not reveal whether an owner has the address: a job decides later whether to send it. */
export const sendLoginLink = publicOperation({
  authentication: "none",
  path: "/v2/workspace/email/send-login-link",
  summary: "Send a login link to a workspace's owner",
  description:
    "Needs no headers. If the address belongs to the owner of a workspace, a mail with a link that signs in to " +
    "the console is sent there by the server's own mail server. The response does not reveal whether it does. The " +
    "link can be used once, for 15 minutes. After signing in, the browser continues to `continueUrl` without " +
    "asking if its host is that of the console, `localhost`, or an allowed domain of the owner's workspaces; " +
    "otherwise it asks first. Nothing is added to that URL.\n\nAt most 5 links for one address and 20 for one " +
    "client can be requested in 15 minutes; more are `RESOURCE_EXHAUSTED`. A client is an IPv4 address or an " +
    "IPv6 /64 network.",
  message: "If the address belongs to the owner of a workspace, a login link will be sent to it.",
  request: Request,
  response: Type.Null(),
  errors: ["RESOURCE_EXHAUSTED"],
  example: { email: "ada@acme.example", continueUrl: "https://app.acme.example/welcome" },
  handle,
});

async function handle(
  { database, jobs, secrets, clientAddress }: PublicContext,
  { email, continueUrl }: Static<typeof Request>,
) {
  if (!isEmailAddress(email)) throw invalidField("data.email", "must be an email address, such as ada@example.com");
  const url = continueUrl === undefined ? null : parseWebUrl(continueUrl);
  if (url === undefined) throw invalidField("data.continueUrl", "must be a URL that starts with https:// or http://");
  const address = comparedAddress(email);
  const request = { mailId: newId(), address, continueUrl: url?.href ?? null, askedAt: Date.now() };
  const payload = sealedRequest(secrets, request);
  await database.transaction(async (transaction) => {
    await admitAttempt(transaction, secrets, { address, clientAddress });
    await jobs.send(transaction, SEND_LOGIN_LINK, [payload]);
  });
  return null;
}

import Type, { type Static } from "typebox";
import type { Cipher } from "../../config/cipher.ts";
import { loginLinkMail } from "../../email/login-link-mail.ts";
import type { Mailer } from "../../email/mailer.ts";
import type { SendResult } from "../../email/send-attempt.ts";
import { type Job, type JobContext, RetryLater } from "../../jobs/jobs.ts";
import { recordWorkspaceMail } from "../workspaces/workspace-mail-queries.ts";
import { generateToken, hashToken, LINK_LIFETIME_MS, signInUrl } from "./login-link.ts";
import { deleteLink, findOwner, insertLink } from "./sign-in-queries.ts";

interface LinkRequest {
  /** ID of the mail, the same in each attempt. */
  mailId: string;
  /** Email address in the compared form. */
  address: string;
  continueUrl: string | null;
  /** Time of the request in milliseconds since the epoch. The link's lifetime starts here, even if the mail is slow. */
  askedAt: number;
}

const Payload = Type.Object({
  /** Base64 of an encrypted LinkRequest: the queue keeps jobs for a day, and they hold addresses of strangers. */
  sealed: Type.String(),
});
type Payload = Static<typeof Payload>;

interface Dependencies {
  mailer: Mailer;
  secrets: Cipher;
  /** Address at which browsers reach the service, without a slash at its end. */
  baseUrl: string;
}

export const SEND_LOGIN_LINK = { name: "send-login-link", payload: Payload, longestRetryDelaySeconds: 60 };

/** Number of jobs that a slow mail server can delay. */
const CONCURRENCY = 2;
const BOUND_TO = SEND_LOGIN_LINK.name;

export function sealedRequest(secrets: Cipher, request: LinkRequest): Payload {
  return { sealed: secrets.encrypt(JSON.stringify(request), BOUND_TO).toString("base64") };
}

/** Creates the job that mails a new link to an owner. A repeated run sends a second mail with its own link. */
export function createSendLoginLink(dependencies: Dependencies): Job<typeof Payload> {
  return {
    ...SEND_LOGIN_LINK,
    concurrency: CONCURRENCY,
    async run(context, payload) {
      context.signal.throwIfAborted();
      const request = openRequest(dependencies.secrets, payload);
      if (!request) return context.log.warn("a login link was requested under another SECRET_KEY; it is not sent");
      const owner = await findOwner(context.database, request.address);
      if (owner !== undefined) await send(dependencies, context, request, owner);
    },
  };
}

async function send(
  dependencies: Dependencies,
  context: JobContext,
  request: LinkRequest,
  owner: NonNullable<Awaited<ReturnType<typeof findOwner>>>,
): Promise<void> {
  const { mailer, baseUrl } = dependencies;
  const { mailId: id, address: ownerAddress, continueUrl } = request;
  const about = { id, kind: "login_link", address: owner.address } as const;
  const record = (result: SendResult | "expired") =>
    recordWorkspaceMail(context.database, owner.workspaceIds, about, result);
  const expiresAt = request.askedAt + LINK_LIFETIME_MS;
  if (expiresAt <= Date.now()) {
    await record("expired");
    return finish(dependencies, context, "expired");
  }
  const token = generateToken();
  const tokenHash = hashToken(token);
  await insertLink(context.database, { tokenHash, ownerAddress, continueUrl, expiresAt });
  const rendered = loginLinkMail({ baseUrl, url: signInUrl(baseUrl, token) });
  const to = { name: "", address: owner.address };
  const mail = { id, from: mailer.sender, to, createdAt: Date.now(), isTransactional: true, ...rendered } as const;
  const result = await mailer.send(mail, { signal: context.signal }).catch(async (error) => {
    await deleteLink(context.database, tokenHash);
    throw error;
  });
  const { outcome, reason } = result;
  // A mail that may have arrived must contain a working link.
  if (outcome === "rejected" || outcome === "deferred") await deleteLink(context.database, tokenHash);
  await record(result);
  if (outcome !== "deferred") return finish(dependencies, context, outcome, reason);
  mailer.counts.deferred++;
  context.log.warn({ outcome, reason }, "a login link will be sent later");
  throw new RetryLater("the mail could not be sent yet");
}

/** Logs the outcome without the address or any content of the mail. */
function finish(
  { mailer }: Dependencies,
  { log }: JobContext,
  outcome: Exclude<keyof Mailer["counts"], "deferred">,
  reason?: string,
): void {
  mailer.counts[outcome]++;
  if (outcome !== "sent") log.warn({ outcome, ...(reason && { reason }) }, "a login link could not be sent");
}

function openRequest(secrets: Cipher, { sealed }: Payload): LinkRequest | undefined {
  try {
    return JSON.parse(secrets.decrypt(Buffer.from(sealed, "base64"), BOUND_TO));
  } catch {
    return undefined;
  }
}

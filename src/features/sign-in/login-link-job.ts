import { randomUUID } from "node:crypto";
import type { Cipher } from "../../config/cipher.ts";
import { loginLinkMail } from "../../email/login-link-mail.ts";
import type { Mailer } from "../../email/mailer.ts";
import { type Job, type JobContext, Postponement } from "../../jobs/jobs.ts";
import { generateToken, hashToken, LINK_LIFETIME_MS, signInUrl } from "./login-link.ts";
import { deleteLink, findOwner, insertLink } from "./queries.ts";

interface LinkRequest {
  /** In the form that is compared. */
  address: string;
  continueUrl: string | null;
  /** Milliseconds since the epoch; the link expires by it, however long the mail takes. */
  askedAt: number;
}

interface Payload {
  /** Base64 of an encrypted LinkRequest: the queue keeps its jobs for a day, and addresses of strangers are in them. */
  sealed: string;
}

interface Dependencies {
  mailer: Mailer;
  secrets: Cipher;
  /** Where browsers reach the service, without a slash at its end; undefined until that is known. */
  baseUrl(): string | undefined;
}

export const SEND_LOGIN_LINK: Pick<Job<Payload>, "name"> = { name: "send-login-link" };

/** A mail server that is slow to answer holds up no more than these. */
const CONCURRENCY = 2;
const BOUND_TO = SEND_LOGIN_LINK.name;

export function sealedRequest(secrets: Cipher, request: LinkRequest): Payload {
  return { sealed: secrets.encrypt(JSON.stringify(request), BOUND_TO).toString("base64") };
}

/** Makes a link for an owner and mails it. Run twice, it sends two mails with a link each. */
export function createSendLoginLink(means: Dependencies): Job<Payload> {
  return {
    ...SEND_LOGIN_LINK,
    concurrency: CONCURRENCY,
    longestRetryDelaySeconds: 60,
    async run(context, payload) {
      context.signal.throwIfAborted();
      const request = openRequest(means.secrets, payload);
      if (!request) return context.log.warn("a login link was asked for under another SECRET_KEY; it is not sent");
      const owner = await findOwner(context.database, request.address);
      if (owner !== undefined) await send(means, context, request, owner);
    },
  };
}

async function send(means: Dependencies, context: JobContext, request: LinkRequest, owner: string): Promise<void> {
  const { mailer } = means;
  const expiresAt = request.askedAt + LINK_LIFETIME_MS;
  if (expiresAt <= Date.now()) return finish(means, context, "expired");
  const baseUrl = means.baseUrl();
  if (baseUrl === undefined) throw new Postponement("the service is still starting");
  const token = generateToken();
  const tokenHash = hashToken(token);
  const { address: ownerAddress, continueUrl } = request;
  await insertLink(context.database, { tokenHash, ownerAddress, continueUrl, expiresAt });
  const rendered = loginLinkMail({ baseUrl, url: signInUrl(baseUrl, token) });
  const to = { name: "", address: owner };
  const mail = {
    id: randomUUID(),
    from: mailer.sender,
    to,
    createdAt: Date.now(),
    isAskedFor: true as const,
    ...rendered,
  };
  const { outcome, reason } = await mailer.deliver(mail, undefined, undefined, context.signal).catch(async (error) => {
    await deleteLink(context.database, tokenHash);
    throw error;
  });
  // Where it may have arrived, its link must work.
  if (outcome === "refused" || outcome === "deferred") await deleteLink(context.database, tokenHash);
  if (outcome !== "deferred") return finish(means, context, outcome, reason);
  mailer.counts.deferred++;
  context.log.warn({ outcome, reason }, "a login link will be sent later");
  throw new Postponement("the mail could not be sent yet");
}

/** Neither the address nor anything of the mail is in the log. */
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { htmlPage } from "../email/templates.ts";
import { getQuery } from "./query.ts";

export const UNSUBSCRIBE_PATH = "/mails/unsubscribe";
const MAX_BODY_BYTES = 4096;
/** Content security policy of the web page, which has no script and styles in attributes only. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

interface UnsubscribeOptions {
  isToken(token: string): boolean;
  /** Returns false if the token is invalid. */
  unsubscribe(token: string, clientAddress: string): Promise<boolean>;
}

/**
 * Adds the page of the unsubscribe links in mails. Opening it changes nothing, because mail scanners open links. Its
 * button unsubscribes, as does the POST that mail programs send (RFC 8058). The token is the only credential.
 */
export async function registerUnsubscribePage(
  server: FastifyInstance,
  { isToken, unsubscribe }: UnsubscribeOptions,
): Promise<void> {
  await server.register(async (pages) => {
    // The body is ignored: it is empty, or says `List-Unsubscribe=One-Click` as a form of either media type.
    pages.addContentTypeParser("*", { parseAs: "buffer" }, async () => undefined);
    pages.get(UNSUBSCRIBE_PATH, async (request, reply) =>
      isToken(getToken(request))
        ? send(reply, "Stop these mails?", [
            "<p>You will get no more mails about comments from this organization.</p>",
            '<form method="post"><button>Unsubscribe</button></form>',
          ])
        : sendError(reply),
    );
    pages.post(UNSUBSCRIBE_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) =>
      (await unsubscribe(getToken(request), request.ip))
        ? send(reply, "You are unsubscribed", ["<p>You will get no more of these mails.</p>"])
        : sendError(reply),
    );
  });
}

function getToken(request: FastifyRequest): string {
  return new URLSearchParams(getQuery(request.url)).get("token") ?? "";
}

function sendError(reply: FastifyReply): FastifyReply {
  const body = ["<p>Open the complete link from a mail again, or ask the sender to stop these mails.</p>"];
  return send(reply.code(400), "This link does not work", body);
}

function send(reply: FastifyReply, title: string, body: string[]): FastifyReply {
  reply.headers({
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  return reply.type("text/html; charset=utf-8").send(htmlPage(title, [`<h1>${title}</h1>`, ...body]));
}

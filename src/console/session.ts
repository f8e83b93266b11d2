import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidField, ServiceError } from "../contract/errors.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import { isObject } from "../json/is-object.ts";
import type { SignedIn } from "./signed-in.ts";

export interface SessionOptions {
  sessionCookies: SessionCookies;
  /** How long the browser keeps the cookie. */
  sessionSeconds: number;
  /**
   * Exchanges the token of a login link for a session, and ends the browser's previous session. Returns undefined if
   * the token is expired, already used or unknown.
   */
  signIn(given: {
    linkToken: string;
    previousToken: string | undefined;
    userAgent: string;
    clientAddress: string;
  }): Promise<{ sessionToken: string; ownerAddress: string | null; continueUrl: string | null } | undefined>;
  signOut(given: { sessionToken: string; clientAddress: string }): Promise<void>;
  /** Returns whether a workspace of the owner allows pages of the host. */
  isHostAllowed(host: string, ownerAddress: string): Promise<boolean>;
  /** Clears the cached sessions of this process after one has ended. */
  sessionEnded(): void;
}

/** Adds POST /console/session, which signs in with a link's token, and /console/session/end, which signs out. */
export function registerSessions(server: FastifyInstance, options: SessionOptions): void {
  const { sessionCookies, sessionSeconds, signIn, signOut, sessionEnded } = options;

  server.post("/console/session", async (request, reply) => {
    sessionCookies.requireSameOrigin(request);
    const previousToken = sessionCookies.sessionToken(request);
    const userAgent = request.headers["user-agent"] ?? "";
    const signedIn = await signIn({
      ...{ linkToken: getToken(request.body), previousToken, userAgent },
      clientAddress: request.ip,
    });
    if (!signedIn) {
      throw new ServiceError("login_link_invalid", "This link is invalid, expired or already used. Request a new one.");
    }
    if (previousToken !== undefined) sessionEnded();
    const { sessionToken, ownerAddress, continueUrl } = signedIn;
    const isContinueUrlTrusted = continueUrl !== null && (await isTrusted(request, continueUrl, ownerAddress));
    sessionCookies.signIn(request, reply, sessionToken, sessionSeconds);
    return reply.header("cache-control", "no-store").send({ continueUrl, isContinueUrlTrusted } satisfies SignedIn);
  });

  server.post("/console/session/end", async (request, reply) => {
    sessionCookies.requireSameOrigin(request);
    const token = sessionCookies.sessionToken(request);
    if (token !== undefined) {
      await signOut({ sessionToken: token, clientAddress: request.ip });
      sessionEnded();
    }
    sessionCookies.signOut(request, reply);
    return reply.header("cache-control", "no-store").send({});
  });

  /** Returns whether the browser may continue to the URL without asking the user. */
  async function isTrusted(request: FastifyRequest, continueUrl: string, ownerAddress: string | null) {
    const { host, hostname } = new URL(continueUrl);
    if (hostname === "localhost" || sessionCookies.isOwnHost(request, host)) return true;
    return ownerAddress !== null && options.isHostAllowed(host, ownerAddress);
  }
}

function getToken(body: unknown): string {
  if (isObject(body) && typeof body.token === "string") return body.token;
  throw invalidField("token", "must be the text behind # in a login link");
}

import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../contract/errors.ts";

/** A session token is 256 bits in base64url. */
const SESSION_TOKEN = /^[\w-]{43}$/;

/** Reads and sets the session cookie, and distinguishes requests of the console from all others. */
export class SessionCookies {
  readonly #publicOrigin: string;

  constructor(publicUrl: string) {
    this.#publicOrigin = new URL(publicUrl).origin;
  }

  /**
   * Throws PERMISSION_DENIED unless the browser says that the request comes from a web page of the service. Every
   * browser sends `Origin` with a POST, and the newer ones `Sec-Fetch-Site`; a web page cannot change either.
   */
  requireSameOrigin(request: FastifyRequest): void {
    const { origin, "sec-fetch-site": site } = request.headers;
    const isSameSite = site === undefined || site === "same-origin";
    if (origin !== undefined && this.#getOrigins(request).includes(origin) && isSameSite) return;
    throw new ServiceError(
      "session_not_allowed",
      "A session is for the service's own pages only; PUBLIC_URL must be the address at which browsers reach them.",
    );
  }

  /** Returns whether the host, port included, is one of the service's own. */
  isOwnHost(request: FastifyRequest, host: string): boolean {
    return host === request.host || host === new URL(this.#publicOrigin).host;
  }

  /** Returns the session token of the cookie, or undefined if there is none or it is malformed. */
  sessionToken(request: FastifyRequest): string | undefined {
    const token = parseCookie(request.headers.cookie ?? "")[this.#cookieName(request)];
    return token !== undefined && SESSION_TOKEN.test(token) ? token : undefined;
  }

  /**
   * Returns whether the browser certainly has no session. A missing cookie alone does not prove it: `SameSite=Strict`
   * withholds the cookie when a link on another site leads here, which `Sec-Fetch-Site` reveals.
   */
  isSignedOut(request: FastifyRequest): boolean {
    const { "sec-fetch-site": site } = request.headers;
    return this.sessionToken(request) === undefined && (site === "none" || site === "same-origin");
  }

  /** Sets the cookie that signs the browser in. */
  signIn(request: FastifyRequest, reply: FastifyReply, token: string, maxAgeSeconds: number): void {
    const cookie = stringifySetCookie({
      name: this.#cookieName(request),
      value: token,
      path: "/",
      maxAge: maxAgeSeconds,
      httpOnly: true,
      sameSite: "strict",
      secure: this.#isByTls(request),
    });
    reply.header("set-cookie", cookie);
  }

  /** Removes the cookie. */
  signOut(request: FastifyRequest, reply: FastifyReply): void {
    this.signIn(request, reply, "", 0);
  }

  /** Browsers accept the prefix only over TLS and without a domain, so no other site can set the cookie. */
  #cookieName(request: FastifyRequest): string {
    return this.#isByTls(request) ? "__Host-colloquy_session" : "colloquy_session";
  }

  #isByTls(request: FastifyRequest): boolean {
    return this.#publicOrigin.startsWith("https:") || request.protocol === "https";
  }

  /** Returns the allowed origins. Behind TLS, HTTP is not allowed: anybody on the network may have changed the page. */
  #getOrigins(request: FastifyRequest): string[] {
    const plain = this.#isByTls(request) ? [] : [`http://${request.host}`];
    return [this.#publicOrigin, `https://${request.host}`, ...plain];
  }
}

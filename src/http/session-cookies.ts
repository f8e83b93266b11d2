import type { FastifyRequest } from "fastify";
import { permissionDenied } from "../contract/errors.ts";

/** 256 bits as base64url. */
const SESSION_TOKEN = /^[\w-]{43}$/;

/** Tells requests of the service's own pages from all others, and keeps the cookie by which they are signed in. */
export class SessionCookies {
  readonly #publicOrigin: string;

  constructor(publicUrl: string) {
    this.#publicOrigin = new URL(publicUrl).origin;
  }

  /**
   * Throws PERMISSION_DENIED unless the browser says that the request comes from a page of the service itself. Every
   * browser sends `Origin` with a POST, and the newer ones `Sec-Fetch-Site`; a page cannot change either.
   */
  requireSameOrigin(request: FastifyRequest): void {
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin !== undefined && this.#originsOf(request).includes(origin) && [undefined, "same-origin"].includes(site))
      return;
    throw permissionDenied(
      "A session is for the service's own pages only; PUBLIC_URL must be the address at which browsers reach them.",
    );
  }

  /** Whether the address, port included, is one of the service. */
  isOwnHost(request: FastifyRequest, host: string): boolean {
    return host === request.host || host === new URL(this.#publicOrigin).host;
  }

  /** Of the cookie; undefined where there is none that can be one. */
  sessionToken(request: FastifyRequest): string | undefined {
    const prefix = `${this.#cookieName(request)}=`;
    const cookies = request.headers.cookie?.split(";").map((cookie) => cookie.trim()) ?? [];
    const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
    return value !== undefined && SESSION_TOKEN.test(value) ? value : undefined;
  }

  /**
   * Whether the browser surely has no session. Not by the cookie alone: `SameSite=Strict` keeps it back where a link on
   * another site has led here, which the browser says.
   */
  isSignedOut(request: FastifyRequest): boolean {
    const { "sec-fetch-site": site } = request.headers;
    return this.sessionToken(request) === undefined && (site === "none" || site === "same-origin");
  }

  /** The `Set-Cookie` that signs the browser in; with an empty token and 0 seconds, out. */
  sessionCookie(request: FastifyRequest, token: string, seconds: number): string {
    const secure = this.#isByTls(request) ? "; Secure" : "";
    return `${this.#cookieName(request)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** A browser takes the prefix only from TLS and without a domain, so no other site can set the cookie. */
  #cookieName(request: FastifyRequest): string {
    return this.#isByTls(request) ? "__Host-colloquy_session" : "colloquy_session";
  }

  #isByTls(request: FastifyRequest): boolean {
    return this.#publicOrigin.startsWith("https:") || request.protocol === "https";
  }

  /** Behind TLS a page that came without it may be anybody's. */
  #originsOf(request: FastifyRequest): string[] {
    const plain = this.#isByTls(request) ? [] : [`http://${request.host}`];
    return [this.#publicOrigin, `https://${request.host}`, ...plain];
  }
}

import { untilAborted, withTimeout } from "./back-off.ts";
import { ColloquyError } from "./errors.ts";

type GetUserToken = () => string | undefined | Promise<string | undefined>;

/** How a client authenticates: a backend by API key and auth token, a page by the token of its user. */
export type Credentials =
  | { apiKey: string; authToken: string; getUserToken?: never }
  | {
      /**
       * Returns a user token, which your backend or identity provider has issued, or undefined if nobody is signed in.
       * Called again before the token expires, and after it has thrown.
       */
      getUserToken: GetUserToken;
      /** API key of the workspace, if the tokens are those of its token issuer, such as your identity provider. */
      apiKey?: string | undefined;
      authToken?: never;
    };

/** Time before expiry at which a token is replaced, in milliseconds. */
const REFRESH_BEFORE_MS = 60_000;
/** Reasons for rejecting a token that a new token may resolve. */
export const TOKEN_ERRORS: ReadonlySet<string | undefined> = new Set([
  "user_token_expired",
  "user_token_revoked",
  "user_token_invalid",
]);

/** Characters of a token in an `Authorization` header, by RFC 6750. Other texts are pages or errors. */
const BEARER_TOKEN = /^[\w.~+/=-]+$/;
/** Maximum number of characters that an error quotes. */
const MAX_QUOTED = 50;

interface UserToken {
  token: string;
  /** Time from which on another token is used. */
  refreshAt: number;
}

/** The headers that authenticate, with a user token that is replaced before it expires. */
export class Authenticator {
  readonly #credentials: Credentials;
  readonly #timeoutMs: number;
  /** Shared by all calls, so that concurrent ones ask for one token. */
  #current: Promise<UserToken> | undefined;

  /** `getUserToken` has the same time as a call. */
  constructor(credentials: Credentials, timeoutMs: number) {
    this.#credentials = credentials;
    this.#timeoutMs = timeoutMs;
  }

  async headers(): Promise<Record<string, string>> {
    const { apiKey, authToken, getUserToken } = this.#credentials;
    if (!getUserToken) return { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
    const authorization = `Bearer ${await this.userToken()}`;
    return { authorization, ...(apiKey !== undefined && { "x-service-api-key": apiKey }) };
  }

  /** Returns the token of the user: a new one if the last one is about to expire, or is the one that was rejected. */
  async userToken(rejected?: string): Promise<string> {
    const { getUserToken } = this.#credentials;
    if (!getUserToken) throw new TypeError("The client of a backend has no user token. Give it getUserToken.");
    await this.#dropIf(({ token, refreshAt }) => token === rejected || Date.now() >= refreshAt);
    this.#current ??= fetchToken(getUserToken, this.#timeoutMs);
    return (await this.#current).token;
  }

  /** Forgets the token, so that the next call asks for another one. */
  reset(): void {
    this.#current = undefined;
  }

  /** Returns whether another token may be accepted instead of the one that was sent with these headers. */
  async replaceRejected(error: unknown, headers: Record<string, string>): Promise<boolean> {
    if (!headers.authorization || !(error instanceof ColloquyError)) return false;
    if (!TOKEN_ERRORS.has(error.reason) && error.httpStatus !== 401) return false;
    // Another call may have replaced it in the meantime.
    await this.#dropIf(({ token }) => headers.authorization === `Bearer ${token}`);
    return true;
  }

  /** Forgets the token if it is as given, or could not be fetched. */
  async #dropIf(isUnusable: (current: UserToken) => boolean): Promise<void> {
    const current = this.#current;
    const known = await current?.catch(() => undefined);
    if ((!known || isUnusable(known)) && this.#current === current) this.#current = undefined;
  }
}

async function fetchToken(getUserToken: GetUserToken, timeoutMs: number): Promise<UserToken> {
  let token: unknown;
  try {
    const fetched = Promise.resolve(getUserToken());
    token = await withTimeout(timeoutMs, undefined, (signal) => untilAborted(fetched, signal));
  } catch (cause) {
    throw new ColloquyError("OFFLINE", { message: `getUserToken failed: ${cause}`, cause });
  }
  if (token === undefined) throw new ColloquyError("UNAUTHENTICATED", { message: "getUserToken returned no token." });
  if (typeof token === "string" && BEARER_TOKEN.test(token)) return { token, refreshAt: refreshTime(token) };
  // Such as the page of a login, to which the request was redirected.
  const text = JSON.stringify(token)?.slice(0, MAX_QUOTED);
  throw new ColloquyError("PERMISSION_DENIED", {
    message: `getUserToken must return a user token, but returned ${text}.`,
  });
}

/** Returns when to replace a token: never if it has ended by this clock, which then must be wrong. */
function refreshTime(token: string): number {
  const end = getEnd(token);
  const left = end - Date.now();
  return left > 0 ? end - Math.min(REFRESH_BEFORE_MS, left / 2) : Number.POSITIVE_INFINITY;
}

/** Returns the time of the claim `exp`, or NaN. */
function getEnd(token: string): number {
  return (readClaims(token)?.exp ?? Number.NaN) * 1000;
}

/** Returns the claims of a token, or undefined if it has none that can be read. */
export function readClaims(token: string): { exp?: number } | undefined {
  try {
    const [, payload = ""] = token.split(".");
    return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}

import { hash, type KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { decodeJwt, errors, jwtVerify } from "jose";
import type { UserTokenKeys } from "../config/user-token-keys.ts";
import {
  type EndUser,
  MAX_USER_TOKEN_LENGTH,
  USER_TOKEN_ALGORITHM,
  type UserTokenClaims,
} from "../contract/end-user.ts";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { trimEmailAddress } from "../email/address.ts";
import type { LookupCache, LookupCaches } from "./lookup-cache.ts";
import type { WrongCredentials } from "./wrong-credentials.ts";

interface UserTokenAuthenticationOptions {
  keys: UserTokenKeys;
  /** Finds a workspace, and the time in milliseconds until which the tokens of the user are revoked, if any. */
  findCaller(
    apiKey: string,
    userId: string,
    clientAddress: string,
  ): Promise<{ workspace: Workspace | undefined; revocation: number | undefined }>;
  caches: LookupCaches;
  wrongCredentials: WrongCredentials;
}

/** Caller with a token whose signature is right. */
interface UserTokenCaller {
  workspace: Workspace;
  user: EndUser;
  isRevoked: boolean;
}

/** A JSON Web Token has three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const BEARER = /^bearer(?: +(?<token>.*))?$/i;

/**
 * Returns the user token of a request, or undefined if there is none. Other schemes than `Bearer` are ignored. Throws
 * PERMISSION_DENIED if nothing follows `Bearer`.
 */
export function getUserToken({ authorization = "" }: IncomingHttpHeaders): string | undefined {
  const bearer = BEARER.exec(authorization.trim());
  if (!bearer) return undefined;
  const token = bearer.groups?.token;
  if (token !== undefined) return token;
  throw new ServiceError("credentials_missing", "The header Authorization has no user token after Bearer.");
}

/**
 * Finds the user and workspace of a request by its user token. A token is verified once and then known by its hash. A
 * wrong token is rejected before it costs a lookup in the database.
 */
export class UserTokenAuthentication {
  readonly #options: UserTokenAuthenticationOptions;
  readonly #callers: LookupCache<UserTokenCaller>;

  constructor(options: UserTokenAuthenticationOptions) {
    this.#options = options;
    this.#callers = options.caches.create();
  }

  /**
   * Throws PERMISSION_DENIED if the token is wrong, expired or revoked, and RESOURCE_EXHAUSTED if the client has sent
   * too many wrong ones. Expired and revoked tokens do not count: web pages keep them without their users' doing.
   */
  async authenticate(token: string, clientAddress: string): Promise<Pick<UserTokenCaller, "workspace" | "user">> {
    if (token.length > MAX_USER_TOKEN_LENGTH) throw invalid("is longer than 8 KiB");
    const key = hash("sha256", token, "base64");
    const find = () =>
      this.#options.wrongCredentials.lookUp(key, clientAddress, () => this.#find(token, clientAddress));
    const caller = this.#callers.get(key) ?? (await this.#callers.lookUp(key, find));
    requireUnexpired(caller.user);
    if (!caller.isRevoked) return caller;
    throw new ServiceError("user_token_revoked", "The tokens of the user were revoked. Get another one.");
  }

  async #find(token: string, clientAddress: string): Promise<UserTokenCaller> {
    const claims = await this.#verify(token);
    const { sub: userId, aud, name, email, resources: grants, num: tokenNumber = 0, exp } = claims;
    const { workspace, revocation } = await this.#options.findCaller(aud, userId, clientAddress);
    if (!workspace) throw invalid("is for a workspace that does not exist");
    const user = {
      userId,
      grants,
      tokenNumber,
      expiresAt: exp * 1000,
      ...(name !== undefined && { name }),
      // Tokens of earlier versions have any text.
      ...(email !== undefined && { email: trimEmailAddress(email) ?? "" }),
    };
    const isRevoked = revocation !== undefined && revocation >= tokenNumber;
    return { workspace, user, isRevoked };
  }

  async #verify(token: string): Promise<UserTokenClaims> {
    if (!JWT.test(token)) throw noUserToken();
    try {
      const { aud: audience } = decodeJwt(token);
      if (typeof audience !== "string") throw invalid("names no workspace");
      const findKey = ({ kid }: { kid?: string }): KeyObject => {
        const key = kid === undefined ? undefined : this.#options.keys.find(audience, kid);
        if (!key) throw notSigned();
        return key;
      };
      const { payload } = await jwtVerify(token, findKey, { algorithms: [USER_TOKEN_ALGORITHM], audience });
      return getClaims(payload);
    } catch (error) {
      // Claims are checked only after the signature.
      if (error instanceof errors.JWTExpired) return getClaims(error.payload);
      if (!(error instanceof errors.JOSEError)) throw error;
      throw notSigned();
    }
  }
}

/** Throws PERMISSION_DENIED if the token of the user has expired. */
export function requireUnexpired({ expiresAt }: EndUser): void {
  if (expiresAt > Date.now()) return;
  throw new ServiceError("user_token_expired", "The user token has expired. Get another one from your backend.");
}

function invalid(problem: string): ServiceError {
  return new ServiceError("user_token_invalid", `The user token ${problem}. Get one with /v2/auth/generate_token.`);
}

function noUserToken(): ServiceError {
  const message =
    "The header Authorization has no user token after Bearer. An auth token belongs in the header " +
    "x-service-auth-token, with the API key in x-service-api-key.";
  return new ServiceError("user_token_invalid", message);
}

function notSigned(): ServiceError {
  return invalid("is not signed by this service");
}

/** Casts the claims of a token with a right signature: only the service signs tokens, always with these claims. */
function getClaims(payload: object): UserTokenClaims {
  return payload as UserTokenClaims;
}

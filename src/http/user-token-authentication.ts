import { hash, type KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";
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
  /** Finds a workspace, and the last revocation of the user's tokens, if any. */
  findCaller(
    apiKey: string,
    userId: string,
    clientAddress: string,
  ): Promise<{ workspace: Workspace | undefined; revocation: TokenRevocation | undefined }>;
  /** Verifies a token that another issuer has signed, which the workspace of the API key must accept. */
  verifyIssuerToken(apiKey: string, token: string, clientAddress: string): Promise<EndUser>;
  caches: LookupCaches;
  wrongCredentials: WrongCredentials;
}

/** Revocation of all tokens that a user was issued before. */
interface TokenRevocation {
  number: number;
  /** Milliseconds since the epoch. */
  revokedAt: number;
}

/** What a caller sends to act as a user. */
export interface SentUserToken {
  token: string;
  /** API key of the workspace. Tokens of the service name their workspace themselves, those of other issuers do not. */
  apiKey: string | undefined;
  clientAddress: string;
}

/** Caller with a token whose signature is right. */
interface UserTokenCaller {
  workspace: Workspace;
  user: EndUser;
  isRevoked: boolean;
}

/** A JSON Web Token has three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Algorithms with a public key. */
const ASYMMETRIC = /^(?:RS|PS|ES|Ed)/;
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
  async authenticate(sent: SentUserToken): Promise<Pick<UserTokenCaller, "workspace" | "user">> {
    if (sent.token.length > MAX_USER_TOKEN_LENGTH) throw invalid("is longer than 8 KiB");
    // A token of another issuer may be valid in several workspaces.
    const key = hash("sha256", `${sent.apiKey ?? ""}\0${sent.token}`, "base64");
    const find = () => this.#options.wrongCredentials.lookUp(key, sent.clientAddress, () => this.#find(sent));
    const known = this.#callers.get(key);
    if (!known && saysExpired(sent.token)) throw expired();
    const caller = known ?? (await this.#callers.lookUp(key, find));
    requireUnexpired(caller.user);
    if (!caller.isRevoked) return caller;
    throw new ServiceError("user_token_revoked", "The tokens of the user were revoked. Get another one.");
  }

  async #find({ token, apiKey: sentKey, clientAddress }: SentUserToken): Promise<UserTokenCaller> {
    const { apiKey, user } = isOwnToken(token)
      ? await this.#verifyOwn(token, sentKey)
      : await this.#verifyIssuer(token, sentKey, clientAddress);
    const { workspace, revocation } = await this.#options.findCaller(apiKey, user.userId, clientAddress);
    if (!workspace) throw invalid("is for a workspace that does not exist");
    return { workspace, user, isRevoked: revocation !== undefined && isRevoked(user, revocation) };
  }

  async #verifyIssuer(
    token: string,
    apiKey: string | undefined,
    clientAddress: string,
  ): Promise<{ apiKey: string; user: EndUser }> {
    if (apiKey === undefined) {
      throw invalid("is not signed by this service. A token of another issuer needs the API key in x-service-api-key");
    }
    return { apiKey, user: await this.#options.verifyIssuerToken(apiKey, token, clientAddress) };
  }

  async #verifyOwn(token: string, sentKey: string | undefined): Promise<{ apiKey: string; user: EndUser }> {
    const claims = await this.#verify(token);
    const { sub: userId, aud: apiKey, name, email, photoUrl, resources: grants, num: tokenNumber = 0, exp } = claims;
    if (sentKey !== undefined && sentKey !== apiKey) throw invalid("is for another workspace than the API key");
    const user = {
      userId,
      grants,
      tokenNumber,
      expiresAt: exp * 1000,
      ...(name !== undefined && { name }),
      ...(photoUrl !== undefined && { photoUrl }),
      // Tokens of earlier versions have any text.
      ...(email !== undefined && { email: trimEmailAddress(email) ?? "" }),
    };
    return { apiKey, user };
  }

  async #verify(token: string): Promise<UserTokenClaims> {
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

/**
 * Returns whether a token can only be one of the service. The algorithm decides, since the service alone signs with a
 * secret: no token is tried under the keys of both. Throws PERMISSION_DENIED if it is not a signed JWT.
 */
function isOwnToken(token: string): boolean {
  if (!JWT.test(token)) throw noUserToken();
  let algorithm: unknown;
  try {
    algorithm = decodeProtectedHeader(token).alg;
  } catch {
    throw notSigned();
  }
  if (algorithm === USER_TOKEN_ALGORITHM) return true;
  if (typeof algorithm !== "string" || !ASYMMETRIC.test(algorithm)) throw notSigned();
  return false;
}

/**
 * Returns whether a token of another issuer says that it has expired, so that it is rejected also while the keys of its
 * issuer cannot be fetched.
 */
function saysExpired(token: string): boolean {
  try {
    if (decodeProtectedHeader(token).alg === USER_TOKEN_ALGORITHM) return false;
    const { exp } = decodeJwt(token);
    return typeof exp === "number" && exp * 1000 <= Date.now();
  } catch {
    return false;
  }
}

function isRevoked({ tokenNumber, issuedAfter }: EndUser, { number, revokedAt }: TokenRevocation): boolean {
  return issuedAfter === undefined ? number >= tokenNumber : revokedAt >= issuedAfter;
}

/** Throws PERMISSION_DENIED if the token of the user has expired. */
export function requireUnexpired({ expiresAt }: EndUser): void {
  if (expiresAt <= Date.now()) throw expired();
}

function expired(): ServiceError {
  return new ServiceError("user_token_expired", "The user token has expired. Get another one.");
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

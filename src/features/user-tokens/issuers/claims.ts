import type { JWTPayload } from "jose";
import { type AccessRole, type EndUser, type Grant, includesRole } from "../../../contract/end-user.ts";
import { isIdentifier } from "../../../contract/schema.ts";
import { MAX_WEB_URL_LENGTH, parseWebUrl } from "../../../contract/web-url.ts";
import { trimEmailAddress } from "../../../email/address.ts";
import { isObject } from "../../../json/is-object.ts";
import type { TokenIssuerConfig } from "../token-issuer-config/token-issuer-config.ts";
import { invalidIssuerToken } from "./invalid-issuer-token.ts";

/** Maximum number of organizations in a token. */
const MAX_ORGANIZATIONS = 100;
const MAX_NAME_LENGTH = 256;
/** Values of `email_verified` with an address that is the user's. Many issuers have no such claim. */
const VERIFIED: readonly unknown[] = [undefined, true, "true"];

type ClaimNames = TokenIssuerConfig["claims"];

/** What the claims of a verified token say about its user. */
type ClaimedUser = Pick<EndUser, "userId" | "name" | "email" | "photoUrl" | "grants">;

/**
 * Returns the user whom the claims of a verified token name. Throws PERMISSION_DENIED if the ID of the user or of an
 * organization is none. A name, address or photo that the service would not store is left out.
 */
export function getClaimedUser(payload: JWTPayload, config: TokenIssuerConfig): ClaimedUser {
  const { claims } = config;
  const userId = findClaim(payload, claims.userId);
  if (!isId(userId)) throw invalidIssuerToken(`has no valid user ID in the claim ${JSON.stringify(claims.userId)}`);
  // The user is not known to own an address that the issuer has not verified. Some issuers write flags as texts.
  const isUnverified = !VERIFIED.includes(payload.email_verified);
  if (isUnverified && claims.userId === "email") {
    throw invalidIssuerToken("names its user by an email address that its issuer has not verified");
  }
  const name = getText(payload, claims.name);
  const email = isUnverified ? undefined : getText(payload, claims.email);
  const address = email === undefined ? undefined : trimEmailAddress(email);
  const photoUrl = getText(payload, claims.photoUrl);
  return {
    userId,
    ...(name !== undefined && name.length <= MAX_NAME_LENGTH && { name }),
    ...(address !== undefined && { email: address }),
    ...(photoUrl !== undefined && photoUrl.length <= MAX_WEB_URL_LENGTH && parseWebUrl(photoUrl) && { photoUrl }),
    grants: getGrants(payload, config),
  };
}

/** Returns the grants on the organizations that a token names, if the configuration names the claim. */
function getGrants(payload: JWTPayload, { claims, roles, defaultRole }: TokenIssuerConfig): Grant[] {
  const organizations = new Set(getList(payload, claims.organizations));
  if (organizations.size > MAX_ORGANIZATIONS)
    throw invalidIssuerToken(`names more than ${MAX_ORGANIZATIONS} organizations`);
  const accessRole = getRole(getList(payload, claims.roles), roles) ?? defaultRole;
  return [...organizations].map((id) => {
    if (isId(id)) return { type: "organization", id, organizationId: id, accessRole };
    throw invalidIssuerToken(`has an invalid organization ID in the claim ${JSON.stringify(claims.organizations)}`);
  });
}

/** Returns the highest role that the roles of the issuer stand for. */
function getRole(names: readonly unknown[], roles: TokenIssuerConfig["roles"]): AccessRole | undefined {
  let highest: AccessRole | undefined;
  for (const name of names) {
    const role = typeof name === "string" && Object.hasOwn(roles, name) ? roles[name] : undefined;
    if (role !== undefined && !(highest !== undefined && includesRole(highest, role))) highest = role;
  }
  return highest;
}

/** Returns the values of a claim that has one or a list. A missing or empty claim has none. */
function getList(payload: JWTPayload, name: ClaimNames[keyof ClaimNames]): unknown[] {
  const value = findClaim(payload, name) ?? "";
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => each !== "");
}

function getText(payload: JWTPayload, name: string): string | undefined {
  const value = findClaim(payload, name);
  return typeof value === "string" && value !== "" && !/\p{Cc}/u.test(value) && value.isWellFormed()
    ? value
    : undefined;
}

/** Returns the claim of a name, or the one at a path of names, if there is a name. Only own properties count. */
function findClaim(payload: JWTPayload, name: string): unknown {
  if (name === "") return undefined;
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const step of name.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && isIdentifier(value);
}

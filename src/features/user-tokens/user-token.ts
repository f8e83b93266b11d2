import { SignJWT } from "jose";
import Type, { type Static } from "typebox";
import type { UserTokenKeys } from "../../config/user-token-keys.ts";
import {
  ACCESS_ROLES,
  MAX_USER_TOKEN_LENGTH,
  RESOURCE_TYPES,
  type TokenGrant,
  USER_TOKEN_ALGORITHM,
  type UserTokenClaims,
} from "../../contract/end-user.ts";
import { invalidField } from "../../contract/errors.ts";
import { Identifier } from "../../contract/schema.ts";
import type { Queryable } from "../../database/statement.ts";
import { selectNow } from "./queries.ts";

/** Lifetime of a token for a request without `expiresInSeconds`: 48 hours, which is also the maximum. */
export const MAX_LIFETIME_SECONDS = 172_800;

/** Maximum of a time in seconds since the epoch, about the year 31,688. */
const MAX_SECONDS = 999_999_999_999;

/** A resource of a token and what the user may do with it. */
export const TokenResource = Type.Object({
  type: Type.Enum(RESOURCE_TYPES),
  id: Identifier,
  organizationId: Type.Optional(Identifier),
  accessRole: Type.Optional(Type.Enum(ACCESS_ROLES, { default: "editor" })),
  expiresAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description: "Unix time in seconds at which the grant ends, if that is before the token expires.",
    }),
  ),
});

interface Subject {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
  isAdmin?: boolean | undefined;
}

/** Signs a user token. Throws INVALID_ARGUMENT if it would be too large for the headers of a request. */
export async function issueUserToken(
  { database, userTokenKeys }: { database: Queryable; userTokenKeys: UserTokenKeys },
  apiKey: string,
  { subject, grants, lifetimeSeconds }: { subject: Subject; grants: TokenGrant[]; lifetimeSeconds: number },
): Promise<string> {
  const { userId, name, email, isAdmin = false } = subject;
  // The clock of the database, because revocations go by it too.
  const now = (await selectNow(database)) / 1000;
  const claims: UserTokenClaims = {
    sub: userId,
    aud: apiKey,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    isAdmin,
    resources: grants,
    iat: now,
    exp: Math.ceil(now) + lifetimeSeconds,
  };
  const { id, key } = userTokenKeys.current(apiKey);
  const header = { alg: USER_TOKEN_ALGORITHM, typ: "JWT", kid: id };
  const token = await new SignJWT({ ...claims }).setProtectedHeader(header).sign(key);
  if (token.length <= MAX_USER_TOKEN_LENGTH) return token;
  throw invalidField("data", "makes a token of more than 8 KiB. Name fewer resources");
}

/** Returns the grants of resources. Throws INVALID_ARGUMENT if a folder or document names no organization. */
export function grantsOf(resources: readonly Static<typeof TokenResource>[], path: string): TokenGrant[] {
  return resources.map(({ type, id, organizationId, accessRole = "editor", expiresAt }, index) => {
    const field = `${path}[${index}].organizationId`;
    const organization = organizationId ?? (type === "organization" ? id : undefined);
    if (organization === undefined) throw invalidField(field, `is required for a ${type}`);
    if (type === "organization" && organization !== id) throw invalidField(field, "must be the id or be left out");
    return { type, id, organizationId: organization, accessRole, ...(expiresAt !== undefined && { expiresAt }) };
  });
}

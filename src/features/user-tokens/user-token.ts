import { SignJWT } from "jose";
import type { UserTokenKeys } from "../../config/user-token-keys.ts";
import {
  type Grant,
  MAX_USER_TOKEN_LENGTH,
  USER_TOKEN_ALGORITHM,
  type UserTokenClaims,
} from "../../contract/end-user.ts";
import { invalidField } from "../../contract/errors.ts";
import type { Queryable } from "../../database/statement.ts";
import { takeTokenNumber } from "../access/token-number-queries.ts";

/** Lifetime of a token for a request without `expiresInSeconds`: 48 hours, which is also the maximum. */
export const MAX_LIFETIME_SECONDS = 172_800;

interface Subject {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
  photoUrl?: string | undefined;
  isAdmin?: boolean | undefined;
}

/** Signs a user token. Throws INVALID_ARGUMENT if it would be too large for the headers of a request. */
export async function issueUserToken(
  { database, userTokenKeys }: { database: Queryable; userTokenKeys: UserTokenKeys },
  apiKey: string,
  { subject, grants, lifetimeSeconds }: { subject: Subject; grants: Grant[]; lifetimeSeconds: number },
): Promise<string> {
  const { userId, name, email, photoUrl, isAdmin = false } = subject;
  const { number, now: nowMs } = await takeTokenNumber(database);
  const now = nowMs / 1000;
  const claims: UserTokenClaims = {
    sub: userId,
    aud: apiKey,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(photoUrl !== undefined && { photoUrl }),
    isAdmin,
    resources: grants,
    num: number,
    iat: now,
    exp: Math.ceil(now) + lifetimeSeconds,
  };
  const { id, key } = userTokenKeys.current(apiKey);
  const header = { alg: USER_TOKEN_ALGORITHM, typ: "JWT", kid: id };
  const token = await new SignJWT({ ...claims }).setProtectedHeader(header).sign(key);
  if (token.length <= MAX_USER_TOKEN_LENGTH) return token;
  throw invalidField("data", "makes a token of more than 8 KiB. Name fewer resources");
}

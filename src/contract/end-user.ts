export const RESOURCE_TYPES = ["organization", "folder", "document"] as const;
/** What grants are on: a resource, or a pair of an access context, with the ID `field:value`. */
export const GRANT_TYPES = [...RESOURCE_TYPES, "context"] as const;

/**
 * Roles, each of which allows what the one before does: a viewer reads, a commenter also comments, an editor also
 * writes in the document, and a moderator also changes what others wrote and who has access.
 */
export const ACCESS_ROLES = ["viewer", "commenter", "editor", "moderator"] as const;
export type AccessRole = (typeof ACCESS_ROLES)[number];

/** Returns whether a role allows what another one does. Null allows nothing. */
export function includesRole(role: AccessRole | null, needed: AccessRole): boolean {
  return role !== null && ACCESS_ROLES.indexOf(role) >= ACCESS_ROLES.indexOf(needed);
}

/** Access of a user to a resource, stored or in a user token. A pair of an access context has the role `viewer`. */
export interface Grant {
  type: (typeof GRANT_TYPES)[number];
  id: string;
  organizationId: string;
  accessRole: AccessRole;
  /** Unix time in seconds. */
  expiresAt?: number;
}

/** User of a product who calls with a user token. */
export interface EndUser {
  userId: string;
  name?: string;
  email?: string;
  photoUrl?: string;
  grants: readonly Grant[];
  /** Number of the token. Revocations and removals of permissions with smaller numbers came before it. */
  tokenNumber: number;
  /**
   * Time before which a token of the workspace's token issuer was not issued, in milliseconds since the epoch. Such a
   * token has no number: revocations and removals of permissions from then on end it.
   */
  issuedAfter?: number | undefined;
  /** Time at which the token expires, in milliseconds since the epoch. */
  expiresAt: number;
}

/** Returns the times at which the token of a user, and the grants that it carries, end. */
export function getEnds({ expiresAt, grants }: EndUser): number[] {
  return [expiresAt, ...grants.flatMap(({ expiresAt: seconds }) => (seconds === undefined ? [] : [seconds * 1000]))];
}

/** Claims of a user token. Times are in seconds since the epoch; `iat` has milliseconds as its fraction. */
export interface UserTokenClaims {
  sub: string;
  aud: string;
  name?: string;
  email?: string;
  photoUrl?: string;
  /** Whether the user is an administrator of the product. Only clients use it. */
  isAdmin: boolean;
  resources: Grant[];
  /** Number of the token. Missing in tokens of earlier versions. */
  num?: number;
  iat: number;
  exp: number;
}

/** Algorithm of the signatures of user tokens. Tokens that name another one are rejected. */
export const USER_TOKEN_ALGORITHM = "HS256";

/** Maximum length of a user token, so that it fits into the headers of a request. */
export const MAX_USER_TOKEN_LENGTH = 8 * 1024;

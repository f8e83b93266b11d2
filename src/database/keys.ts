declare const ORGANIZATION: unique symbol;
declare const RECORD: unique symbol;
declare const USER: unique symbol;

/**
 * Key of an organization: 32 hexadecimal digits, which PostgreSQL reads as a uuid. Keys are branded so that no other
 * text and no other kind of key can be passed in their place. `features/tenancy/` computes them.
 */
export type OrganizationKey = string & { readonly [ORGANIZATION]: true };
/** Key of a document or user group in responses: 32 hexadecimal digits. */
export type RecordKey = string & { readonly [RECORD]: true };
/** Key of a user, which is the same in all organizations: 32 hexadecimal digits. */
export type UserKey = string & { readonly [USER]: true };

const DIGITS = /^[\da-f]{32}$/;

/**
 * Returns the key in a text that PostgreSQL or a process of the service has written, with hyphens or without. Throws if
 * the text is not a key.
 */
export function toOrganizationKey(text: string): OrganizationKey {
  const key = text.replaceAll("-", "");
  if (!isOrganizationKey(key)) throw new Error("an organization key must have 32 hexadecimal digits");
  return key;
}

/** Returns whether a text is the key of an organization, without hyphens. */
export function isOrganizationKey(text: string): text is OrganizationKey {
  return DIGITS.test(text);
}

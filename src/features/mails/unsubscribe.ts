import type { Cipher } from "../../config/cipher.ts";
import { isOrganizationKey, type OrganizationKey } from "../../database/keys.ts";
import type { Queryable } from "../../database/statement.ts";
import { unsubscribeUser } from "../notifications/config/notification-config-queries.ts";
import { storedOrganization } from "../tenancy/organization-scope.ts";

/** A user's mails of one organization. The key of the organization identifies its workspace too. */
interface Subscription {
  organizationKey: OrganizationKey;
  userId: string;
}

/** Returns the signed token of an unsubscribe link, which does not expire. Forging one requires SECRET_KEY. */
export function unsubscribeToken(signer: Cipher, subscription: Subscription): string {
  const { organizationKey, userId } = subscription;
  const signature = signer.hash(signedText(subscription)).toString("base64url");
  return [organizationKey, Buffer.from(userId).toString("base64url"), signature].join(".");
}

/** Returns the subscription of a token; undefined if the token is invalid. */
export function readUnsubscribeToken(signer: Cipher, token: string): Subscription | undefined {
  const [key = "", encodedId = "", signature = ""] = token.split(".");
  if (!isOrganizationKey(key)) return undefined;
  const subscription = { organizationKey: key, userId: Buffer.from(encodedId, "base64url").toString() };
  const hash = Buffer.from(signature, "base64url");
  return signer.matchesHash(signedText(subscription), hash) ? subscription : undefined;
}

/** Unsubscribes a user from all mails of an organization. Returns false if the token is invalid. */
export async function unsubscribe(database: Queryable, signer: Cipher, token: string): Promise<boolean> {
  const subscription = readUnsubscribeToken(signer, token);
  if (!subscription) return false;
  await unsubscribeUser(storedOrganization(database, subscription.organizationKey), subscription.userId);
  return true;
}

function signedText({ organizationKey, userId }: Subscription): string {
  return `${organizationKey} ${userId}`;
}

import { timingSafeEqual } from "node:crypto";
import type { Cipher } from "../../config/cipher.ts";
import type { Queryable } from "../../database/database.ts";
import { ORGANIZATION_LEVEL } from "../notifications/config/notification-config.ts";
import { endMails } from "../notifications/config/queries.ts";

/** Whose mails of which organization, and so of which workspace. */
interface Subscription {
  organizationKey: string;
  userId: string;
}

/** Says whose mails a link ends; nobody without SECRET_KEY can make one for somebody else. It does not expire. */
export function unsubscribeToken(signer: Cipher, subscription: Subscription): string {
  const { organizationKey, userId } = subscription;
  const parts = [organizationKey, Buffer.from(userId).toString("base64url"), signatureOf(signer, subscription)];
  return parts.join(".");
}

/** Undefined where the token is not of this service, or not whole. */
export function readUnsubscribeToken(signer: Cipher, token: string): Subscription | undefined {
  const [organizationKey = "", encodedId = "", signature = ""] = token.split(".");
  const subscription = { organizationKey, userId: Buffer.from(encodedId, "base64url").toString() };
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(signer, subscription))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? subscription : undefined;
}

/** The user gets no more mail of the organization, whatever was set for its documents. False for a wrong token. */
export async function unsubscribe(database: Queryable, signer: Cipher, token: string): Promise<boolean> {
  const subscription = readUnsubscribeToken(signer, token);
  if (!subscription) return false;
  await endMails(database, subscription.organizationKey, subscription.userId, ORGANIZATION_LEVEL);
  return true;
}

function signatureOf(signer: Cipher, { organizationKey, userId }: Subscription): string {
  return signer.hash(`${organizationKey} ${userId}`).toString("base64url");
}

import type { Cipher } from "../../../config/cipher.ts";
import { isObject } from "../../../json/is-object.ts";

/** A receipt and the signature of its JSON text. */
export interface SignedReceipt<Receipt = unknown> {
  receipt: Receipt;
  /** Keyed hash (HMAC-SHA256, base64url) under a key that is derived from SECRET_KEY. */
  signature: string;
}

export function signReceipt<Receipt>(secrets: Cipher, receipt: Receipt): SignedReceipt<Receipt> {
  return { receipt, signature: secrets.hash(toSignedText(receipt)).toString("base64url") };
}

/** Returns the receipt of a JSON text if this service has signed it, whatever white space the text has. */
export function verifyReceipt(secrets: Cipher, file: string): unknown {
  const signed = parse(file);
  if (!isObject(signed) || typeof signed.signature !== "string") return undefined;
  const signature = Buffer.from(signed.signature, "base64url");
  return secrets.matchesHash(toSignedText(signed.receipt), signature) ? signed.receipt : undefined;
}

function parse(file: string): unknown {
  try {
    return JSON.parse(file);
  } catch {
    return undefined;
  }
}

/** The prefix keeps apart what else is hashed with the key. */
function toSignedText(receipt: unknown): string {
  return `deletion receipt\n${JSON.stringify(receipt)}`;
}

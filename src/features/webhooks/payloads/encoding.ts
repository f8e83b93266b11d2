import { constants, createCipheriv, publicEncrypt, randomBytes } from "node:crypto";
import { type BodySettings, getPublicKey } from "../config/webhook-config.ts";
import { protect } from "./protection.ts";

/** Returns the body of a payload as the settings want it: protected, and encrypted or encoded. */
export function encodeBody(payload: object, settings: BodySettings): string {
  const { encodeData, encryptData, publicKey = "", enableDataProtection } = settings;
  const json = JSON.stringify(enableDataProtection ? protect(payload) : payload);
  if (encryptData) return JSON.stringify(encrypt(json, publicKey));
  return encodeData ? JSON.stringify({ encodedPayload: Buffer.from(json).toString("base64") }) : json;
}

/** Encrypts a text by a fresh key, which only the holder of the private key can read. */
function encrypt(text: string, publicKey: string): { encryptedData: string; encryptedKey: string; iv: string } {
  const key = getPublicKey(publicKey);
  if (!key) throw new Error("the public key of the webhooks cannot be read");
  const [contentKey, iv] = [randomBytes(32), randomBytes(16)];
  const cipher = createCipheriv("aes-256-cbc", contentKey, iv);
  const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  return {
    encryptedData: Buffer.concat([cipher.update(text, "utf8"), cipher.final()]).toString("base64"),
    encryptedKey: publicEncrypt({ key, ...padding }, contentKey).toString("base64"),
    iv: iv.toString("base64"),
  };
}

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The 32 bytes of SECRET_KEY, and of the earlier keys of SECRET_KEY_OLD. */
export type SecretKeys = readonly [current: Uint8Array, ...earlier: Uint8Array[]];

/**
 * Returns the key for one use, derived from each secret key, the current one first. They are KeyObjects, because
 * Node.js wraps raw bytes again for each text (measured: 7 µs instead of 29).
 */
export function deriveKeys(
  [current, ...earlier]: SecretKeys,
  use: string,
): readonly [current: KeyObject, ...earlier: KeyObject[]] {
  const derive = (key: Uint8Array) => createSecretKey(new Uint8Array(hkdfSync("sha256", key, "", use, 32)));
  return [derive(current), ...earlier.map(derive)];
}

/**
 * Encrypts with AES-256-GCM, under a key derived from SECRET_KEY for one purpose and with a nonce for each text. What
 * was encrypted or hashed under an earlier key can still be read and verified.
 */
export class Cipher {
  readonly #keys: ReturnType<typeof deriveKeys>;
  readonly #hashKeys: ReturnType<typeof deriveKeys>;

  constructor(secretKeys: SecretKeys, purpose: string) {
    this.#keys = deriveKeys(secretKeys, purpose);
    this.#hashKeys = deriveKeys(secretKeys, `${purpose}: hash`);
  }

  /** Returns a keyed hash of the text. A guess at the text can be tried only with SECRET_KEY. */
  hash(text: string): Buffer {
    return hashWith(this.#hashKeys[0], text);
  }

  /** Returns whether the hash is that of the text, under the current key or an earlier one. */
  matchesHash(text: string, hash: Uint8Array): boolean {
    return this.#hashKeys.some((key) => {
      const expected = hashWith(key, text);
      return expected.length === hash.length && timingSafeEqual(expected, hash);
    });
  }

  /** Encrypts a text. `boundTo` is associated data: decrypt() needs the same value. */
  encrypt(text: string, boundTo: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#keys[0], nonce);
    cipher.setAAD(Buffer.from(boundTo));
    return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts bytes. Throws if they were encrypted under no known key, are bound to something else, or were changed. */
  decrypt(bytes: Buffer, boundTo: string): string {
    const opened = this.open(bytes, boundTo);
    if (!opened) throw new Error("No known key decrypts the bytes.");
    return opened.text;
  }

  /** Decrypts bytes; `isCurrent` says whether under the current key. Returns undefined where decrypt() throws. */
  open(bytes: Buffer, boundTo: string): { text: string; isCurrent: boolean } | undefined {
    for (const [index, key] of this.#keys.entries()) {
      try {
        return { text: decryptWith(key, bytes, boundTo), isCurrent: index === 0 };
      } catch {}
    }
    return undefined;
  }
}

function hashWith(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function decryptWith(key: KeyObject, bytes: Buffer, boundTo: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

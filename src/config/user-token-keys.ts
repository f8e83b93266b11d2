import { createSecretKey, hash, hkdfSync, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { SecretKeys } from "./cipher.ts";

const KEY_BYTES = 32;
const ID_BYTES = 8;
/** Number of workspaces whose keys are cached. Deriving them takes 20 µs. */
const MAX_WORKSPACES = 1_000;

/** Key that signs the user tokens of a workspace. Its ID is the `kid` of the tokens. */
export interface UserTokenKey {
  id: string;
  key: KeyObject;
}

type Keys = readonly [current: UserTokenKey, ...earlier: UserTokenKey[]];

/**
 * The keys of user tokens, derived from SECRET_KEY for each workspace, by its API key. Tokens that were signed under an
 * earlier key verify for as long as SECRET_KEY_OLD contains it.
 */
export class UserTokenKeys {
  readonly #secretKeys: SecretKeys;
  readonly #keys = new LRUCache<string, Keys>({ max: MAX_WORKSPACES });

  constructor(secretKeys: SecretKeys) {
    this.#secretKeys = secretKeys;
  }

  /** Returns the key under which new tokens are signed. */
  current(apiKey: string): UserTokenKey {
    return this.#getKeys(apiKey)[0];
  }

  /** Returns the key with this ID, or undefined if there is none. */
  find(apiKey: string, id: string): KeyObject | undefined {
    return this.#getKeys(apiKey).find((key) => key.id === id)?.key;
  }

  #getKeys(apiKey: string): Keys {
    // A caller may name an API key of any length.
    const name = hash("sha256", apiKey, "hex");
    const known = this.#keys.get(name);
    if (known) return known;
    const [current, ...earlier] = this.#secretKeys;
    const keys: Keys = [derive(current, name), ...earlier.map((secretKey) => derive(secretKey, name))];
    this.#keys.set(name, keys);
    return keys;
  }
}

/** Derives a key and its ID. Neither reveals anything about the other. */
function derive(secretKey: Uint8Array, name: string): UserTokenKey {
  const bytes = Buffer.from(hkdfSync("sha256", secretKey, "", `colloquy user tokens: ${name}`, KEY_BYTES + ID_BYTES));
  return { key: createSecretKey(bytes.subarray(0, KEY_BYTES)), id: bytes.subarray(KEY_BYTES).toString("hex") };
}

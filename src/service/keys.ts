import { Cipher } from "../config/cipher.ts";
import { readSecretKeys } from "../config/secret-key.ts";
import { UserTokenKeys } from "../config/user-token-keys.ts";
import { PageTokens } from "../http/page-token.ts";
import type { StartContext } from "./start-context.ts";

/** Encryption and signatures with keys derived from SECRET_KEY. */
export interface Keys {
  /** Encrypts what callers entrust to the service. */
  secrets: Cipher;
  /** Signs the tokens of unsubscribe links. */
  subscriptions: Cipher;
  pageTokens: PageTokens;
  /** Signs user tokens. */
  userTokens: UserTokenKeys;
  /** Signs the URLs of files. */
  files: Cipher;
  /** Recognizes the SECRET_KEY of a backup. */
  backups: Cipher;
  /** Recognizes the SECRET_KEY with which the database is used. */
  fingerprints: Cipher;
}

/** Reads the secret key or creates it, which requires the lock that the embedded database holds on DATA_DIR. */
export async function readKeys({ config }: Pick<StartContext, "config">): Promise<Keys> {
  const secretKeys = await readSecretKeys(config);
  return {
    secrets: new Cipher(secretKeys, "colloquy secrets"),
    subscriptions: new Cipher(secretKeys, "colloquy mail subscriptions"),
    pageTokens: new PageTokens(secretKeys),
    userTokens: new UserTokenKeys(secretKeys),
    files: new Cipher(secretKeys, "colloquy files"),
    backups: new Cipher(secretKeys, "colloquy backups"),
    fingerprints: new Cipher(secretKeys, "colloquy fingerprints"),
  };
}

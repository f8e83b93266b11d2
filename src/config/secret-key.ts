import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SecretKeys } from "./cipher.ts";
import type { Config } from "./config.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/**
 * Returns the key of SECRET_KEY or of the file `DATA_DIR/secret.key`, which the first start creates, and those of
 * SECRET_KEY_OLD. The caller holds the lock of the embedded database, so no other process creates the file at the same
 * time.
 */
export async function readSecretKeys(
  config: Pick<Config, "secretKey" | "earlierSecretKeys" | "dataDir">,
): Promise<SecretKeys> {
  return [await readCurrentKey(config), ...config.earlierSecretKeys.map((key) => Buffer.from(key, "hex"))];
}

/** Returns whether there is a key already; otherwise the next start creates one. */
export async function hasSecretKey({ secretKey, dataDir }: Pick<Config, "secretKey" | "dataDir">): Promise<boolean> {
  return secretKey !== undefined || (await readPrivateFile(keyFile(dataDir))) !== undefined;
}

function keyFile(dataDir: string): string {
  return join(dataDir, "secret.key");
}

async function readCurrentKey(config: Pick<Config, "secretKey" | "dataDir">): Promise<Buffer> {
  if (config.secretKey) return Buffer.from(config.secretKey, "hex");
  const path = keyFile(config.dataDir);
  const kept = await readPrivateFile(path);
  const text = kept ?? `${randomBytes(32).toString("hex")}\n`;
  if (kept === undefined) await writePrivateFile(path, text);
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) {
    throw new ConfigurationError(`${path} must hold 64 hexadecimal digits; restore it from a backup.`);
  }
  return Buffer.from(text.trim(), "hex");
}

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/**
 * Returns the 32 bytes of SECRET_KEY or of the file `DATA_DIR/secret.key`, which the first start creates. The caller
 * holds the lock of the embedded database, so no other process creates the file at the same time.
 */
export async function readSecretKey(config: Pick<Config, "secretKey" | "dataDir">): Promise<Buffer> {
  if (config.secretKey) return Buffer.from(config.secretKey, "hex");
  const path = join(config.dataDir, "secret.key");
  const kept = await readPrivateFile(path);
  const text = kept ?? `${randomBytes(32).toString("hex")}\n`;
  if (kept === undefined) await writePrivateFile(path, text);
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) {
    throw new ConfigurationError(`${path} must hold 64 hexadecimal digits; restore it from a backup.`);
  }
  return Buffer.from(text.trim(), "hex");
}

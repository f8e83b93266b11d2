import type { Database } from "../database/database.ts";
import { insertKey, selectKeyUse } from "../database/secret-key-fingerprint.ts";
import type { Keys } from "./keys.ts";
import type { StartContext } from "./start-context.ts";

/** What another SECRET_KEY than that of the database means, and what to do about it. */
export const OTHER_SECRET_KEY = {
  finding:
    "The database was used with another SECRET_KEY: user tokens, page tokens and links of before are rejected, and " +
    "stored secrets cannot be read.",
  remedy:
    "Set that key, or add it to SECRET_KEY_OLD. If it is lost, run `colloquy rotate-secrets` to go on with this one.",
};

/** Warns if the database was used with another SECRET_KEY. */
export async function checkSecretKey({ log }: StartContext, database: Database, { fingerprints }: Keys): Promise<void> {
  await insertKey(database, fingerprints);
  if ((await selectKeyUse(database, fingerprints)) !== "unknown") return;
  log.warn(`${OTHER_SECRET_KEY.finding} ${OTHER_SECRET_KEY.remedy}`);
}

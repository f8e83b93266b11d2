import type { Cipher } from "../config/cipher.ts";
import { bytea, sql, unprepared } from "./sql.ts";
import type { Queryable } from "./statement.ts";

/** What is hashed under SECRET_KEY. */
const TEXT = "fingerprint";

/** Returns whether the database was used with the current SECRET_KEY, one of SECRET_KEY_OLD, or another one. */
export async function selectKeyUse(
  database: Queryable,
  fingerprints: Cipher,
): Promise<"current" | "earlier" | "unknown"> {
  const [row] = await database.run(
    unprepared(sql<{ fingerprint: Buffer }>`select fingerprint from secret_key_fingerprints where id = 1`),
  );
  if (!row || row.fingerprint.equals(fingerprints.hash(TEXT))) return "current";
  return fingerprints.matchesHash(TEXT, row.fingerprint) ? "earlier" : "unknown";
}

/** Makes the current key the one with which the database is used, if there is none. */
export async function insertKey(database: Queryable, fingerprints: Cipher): Promise<void> {
  await database.run(
    unprepared(sql`insert into secret_key_fingerprints values (1, ${bytea(fingerprints.hash(TEXT))})
      on conflict do nothing`),
  );
}

/** Makes the current key the one with which the database is used. */
export async function replaceKey(database: Queryable, fingerprints: Cipher): Promise<void> {
  await database.run(
    unprepared(sql`insert into secret_key_fingerprints values (1, ${bytea(fingerprints.hash(TEXT))})
      on conflict (id) do update set fingerprint = excluded.fingerprint`),
  );
}

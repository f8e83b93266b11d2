import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { deleteExpiredKeys } from "./idempotency-queries.ts";

/** Returns the function that deletes expired responses. */
export function deleteExpiredIdempotencyKeys(database: Database): DeleteExpiredChunk {
  return (limit) => deleteExpiredKeys(database, limit);
}

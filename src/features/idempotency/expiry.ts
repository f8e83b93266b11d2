import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { deleteExpiredKeys } from "./queries.ts";

/** Returns the function that deletes the answers that are no longer kept. */
export function deleteExpiredIdempotencyKeys(database: Database): DeleteExpiredChunk {
  return (limit) => deleteExpiredKeys(database, limit);
}

import type { Database } from "../../../database/database.ts";
import type { DeleteExpiredChunk } from "../../../database/expiry.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { OLD_TOKENS_MS } from "../../user-tokens/expiry.ts";
import { deleteOldRemovals } from "./removed-grant-queries.ts";

/** Returns the function that deletes removals of grants in tokens that have all expired. */
export function deleteOldTokenGrantRemovals(database: Database): DeleteExpiredChunk {
  return (limit) => deleteOldRemovals(acrossOrganizations(database), OLD_TOKENS_MS, limit);
}

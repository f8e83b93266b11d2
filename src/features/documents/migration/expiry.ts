import type { Database } from "../../../database/database.ts";
import type { DeleteExpiredChunk } from "../../../database/expiry.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { deleteMigrationsBefore } from "./document-migration-queries.ts";

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Returns the function that deletes the statuses of migrations that ended more than 30 days ago. */
export function deleteExpiredMigrations(database: Database): DeleteExpiredChunk {
  return (limit) => deleteMigrationsBefore(acrossOrganizations(database), Date.now() - KEPT_MS, limit);
}

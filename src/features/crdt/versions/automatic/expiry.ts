import type { Database } from "../../../../database/database.ts";
import type { DeleteExpiredChunk } from "../../../../database/expiry.ts";
import { acrossOrganizations } from "../../../tenancy/organization-scope.ts";
import { deleteExpiredVersions } from "./automatic-version-queries.ts";

/** Returns the function that deletes automatic versions which newer ones replace, or that are too old. */
export function deleteExpiredAutomaticVersions(database: Database): DeleteExpiredChunk {
  return (limit) => deleteExpiredVersions(acrossOrganizations(database), limit);
}

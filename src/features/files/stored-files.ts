import type { Queryable } from "../../database/statement.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { type StoredFiles, selectStoredFiles } from "./stored-file-queries.ts";

/** Time for which the numbers serve, because they take a read of all rows. */
const MAX_AGE_MS = 5 * 60 * 1000;

/** Returns the function that reads how many files there are by state, as of the last five minutes. */
export function readStoredFiles(database: Queryable): () => Promise<StoredFiles[]> {
  const scope = acrossOrganizations(database);
  let reading: Promise<StoredFiles[]> | undefined;
  let readAt = -Infinity;
  return () => {
    if (reading && performance.now() - readAt < MAX_AGE_MS) return reading;
    readAt = performance.now();
    const next = selectStoredFiles(scope).catch((error: unknown) => {
      if (reading === next) reading = undefined;
      throw error;
    });
    reading = next;
    return next;
  };
}

import { DAY_MS } from "../../database/expiry.ts";
import type { Queryable } from "../../database/statement.ts";
import type { FileKey, ListableStore, ListedBytes } from "../../files/file-store.ts";
import { acrossOrganizations, storedOrganization } from "../tenancy/organization-scope.ts";
import { selectUploadedFiles } from "./stored-file-queries.ts";
import { selectKnownFiles } from "./unmatched-file-queries.ts";

const FILES_AT_ONCE = 500;
const REQUESTS_AT_ONCE = 20;

interface UnmatchedFile extends FileKey {
  size: number;
}

/** Finds bytes of the store that no row has, and that are older than a day. */
export async function* findBytesWithoutRows(
  database: Queryable,
  store: ListableStore,
  now = Date.now(),
): AsyncGenerator<UnmatchedFile, void> {
  const newest = now - DAY_MS;
  let batch: ListedBytes[] = [];
  for await (const listed of store.list()) {
    if (listed.modifiedAt >= newest) continue;
    if (batch.length === FILES_AT_ONCE || listed.organizationKey !== batch[0]?.organizationKey) {
      yield* await selectUnknown(database, batch);
      batch = [];
    }
    batch.push(listed);
  }
  yield* await selectUnknown(database, batch);
}

/** Returns the bytes of one organization that no row has. */
async function selectUnknown(database: Queryable, listed: readonly ListedBytes[]): Promise<ListedBytes[]> {
  const [first] = listed;
  if (!first) return [];
  const scope = storedOrganization(database, first.organizationKey);
  const known = new Set(await selectKnownFiles(scope, [...new Set(listed.map(({ fileId }) => fileId))]));
  return listed.filter(({ fileId }) => !known.has(fileId));
}

/** Finds uploaded files whose bytes the store does not have, and that are older than a day. */
export async function* findRowsWithoutBytes(
  database: Queryable,
  store: ListableStore,
): AsyncGenerator<UnmatchedFile, void> {
  const scope = acrossOrganizations(database);
  for (let page = await selectUploadedFiles(scope, undefined, FILES_AT_ONCE); page.length > 0; ) {
    for (let start = 0; start < page.length; start += REQUESTS_AT_ONCE) {
      const files = page.slice(start, start + REQUESTS_AT_ONCE).filter(({ isNew }) => !isNew);
      const have = await Promise.all(files.map((file) => store.has(file)));
      yield* files.filter((_, index) => !have[index]);
    }
    page = await selectUploadedFiles(scope, page.at(-1), FILES_AT_ONCE);
  }
}

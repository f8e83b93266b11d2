import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import type { FileStore } from "../../files/file-store.ts";
import { selectOrganizationKeys } from "../purge/old-rows-queries.ts";
import { acrossOrganizations, type StoredOrganization, storedOrganization } from "../tenancy/organization-scope.ts";
import {
  deleteFileRows,
  MARKED_AT_ONCE,
  markAllFiles,
  markUnreferencedFiles,
  selectKeysWithUnreferencedFiles,
  selectRemovedFiles,
} from "./removed-file-queries.ts";

/** Number of files whose bytes are deleted before their rows. */
const FILES_AT_ONCE = 100;
const ORGANIZATIONS_PER_LOOK = 1_000;

/** Deletes the bytes of the files that are marked, and then their rows. Returns how many. */
export async function deleteRemovedFiles(
  organization: StoredOrganization,
  store: FileStore,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    signal?.throwIfAborted();
    const ids = await selectRemovedFiles(organization, after, FILES_AT_ONCE);
    await Promise.all(ids.map((fileId) => store.delete({ organizationKey: organization.key, fileId })));
    if (ids.length > 0) await deleteFileRows(organization, ids);
    count += ids.length;
    if (ids.length < FILES_AT_ONCE) return count;
    after = ids.at(-1) ?? "";
  }
}

/** Deletes the files that no record of the organization references. Returns how many. */
async function removeUnreferencedFiles(organization: StoredOrganization, store: FileStore): Promise<number> {
  while ((await markUnreferencedFiles(organization)) === MARKED_AT_ONCE);
  return deleteRemovedFiles(organization, store);
}

/** Deletes all files of an organization that is being deleted by this mark. */
export async function removeAllFiles(
  organization: StoredOrganization,
  store: FileStore,
  { deletedAt, signal }: { deletedAt: string; signal: AbortSignal },
): Promise<void> {
  while ((await markAllFiles(organization, deletedAt)) === MARKED_AT_ONCE) signal.throwIfAborted();
  await deleteRemovedFiles(organization, store, signal);
}

/** Returns the function that deletes files that no record references any more, or that none has referenced in a day. */
export function deleteUnreferencedFiles(database: Database, store: FileStore): DeleteExpiredChunk {
  const scope = acrossOrganizations(database);
  let after: OrganizationKey | undefined;
  return async (limit) => {
    if (after === undefined && store.kind === "served") await store.deletePartial();
    let count = 0;
    do {
      const keys = await selectOrganizationKeys(scope, after, ORGANIZATIONS_PER_LOOK);
      for (const key of await selectKeysWithUnreferencedFiles(scope, keys)) {
        after = key;
        const organization = storedOrganization(database, key);
        count += await removeUnreferencedFiles(organization, store);
        if (count >= limit) return count;
      }
      after = keys.length < ORGANIZATIONS_PER_LOOK ? undefined : keys.at(-1);
    } while (after !== undefined);
    return count;
  };
}

import type { AccessOrganization } from "../access/access-queries.ts";
import type { InTransaction } from "../tenancy/organization-scope.ts";
import { CHUNK_ROWS } from "../tenancy/record-queries.ts";
import type { Selection } from "./notification.ts";
import { type LockedPosition, lockPositions } from "./notification-queries.ts";

/** Locks all matches in chunks, oldest first. Yields the sequences of each, to be changed before the next is locked. */
export async function* lockedChunks(
  scope: InTransaction<AccessOrganization>,
  selection: Selection,
  options: { isUnread?: boolean } = {},
): AsyncGenerator<number[]> {
  let locked: LockedPosition[] = [];
  do {
    locked = await lockPositions(scope, selection, { after: locked.at(-1), ...options });
    if (locked.length > 0) yield locked.map(({ sequence }) => sequence);
  } while (locked.length === CHUNK_ROWS);
}

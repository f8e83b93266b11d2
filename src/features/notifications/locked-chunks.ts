import { CHUNK_ROWS } from "../../database/records.ts";
import type { Queryable } from "../../database/statement.ts";
import type { Scope } from "./notification.ts";
import { type LockedPosition, lockPositions } from "./notification-queries.ts";

/** Locks all matches in chunks, oldest first. Yields the sequences of each, to be changed before the next is locked. */
export async function* lockedChunks(
  transaction: Queryable,
  organizationKey: string,
  scope: Scope,
  options: { isUnread?: boolean } = {},
): AsyncGenerator<number[]> {
  let locked: LockedPosition[] = [];
  do {
    locked = await lockPositions(transaction, organizationKey, scope, { after: locked.at(-1), ...options });
    if (locked.length > 0) yield locked.map(({ sequence }) => sequence);
  } while (locked.length === CHUNK_ROWS);
}

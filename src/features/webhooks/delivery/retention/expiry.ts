import type { DeleteExpiredChunk } from "../../../../database/expiry.ts";
import type { Queryable } from "../../../../database/statement.ts";
import { acrossOrganizations, storedOrganization } from "../../../tenancy/organization-scope.ts";
import {
  bringForward,
  deleteMessages,
  selectFullTargets,
  selectOldMessages,
  selectSurplus,
} from "./webhook-retention-queries.ts";

/** Time for which messages without further attempts are kept, and their number for each webhook. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const KEPT_MESSAGES = 1_000;

/**
 * Returns the function that deletes messages without further attempts: those of more than 7 days ago, and all but the
 * last 1,000 messages of each webhook. It also makes due what was written while the clock was ahead.
 */
export function deleteExpiredMessages(database: Queryable, kept = KEPT_MESSAGES): DeleteExpiredChunk {
  const scope = acrossOrganizations(database);
  return async (limit) => {
    await bringForward(scope);
    const expired = await selectOldMessages(scope, KEPT_MS, limit);
    for (const target of await selectFullTargets(scope, kept)) {
      if (expired.length >= limit) break;
      expired.push(...(await selectSurplus(scope, target, { kept, limit: limit - expired.length })));
    }
    let count = 0;
    for (const [key, messages] of Map.groupBy(expired, (message) => message.key)) {
      count += await deleteMessages(storedOrganization(database, key), [...new Set(messages.map(({ id }) => id))]);
    }
    return count;
  };
}

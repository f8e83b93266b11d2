import { RECORD_LIMITS } from "../../../config/limits.ts";
import { limitError } from "../../../contract/limit-error.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import { selectTotals } from "./version-queries.ts";

const { versions: MAX_VERSIONS, versionBytes: MAX_BYTES } = RECORD_LIMITS;

/** Limit of the named versions of a collaborative document, as texts say it. The automatic ones have the same. */
export const VERSION_LIMIT = `${MAX_VERSIONS} versions of ${MAX_BYTES / (1024 * 1024)} MiB together`;

/** Throws FAILED_PRECONDITION if a locked collaborative document has no room for another named version. */
export async function assertRoom(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  { clientId, bytes }: { clientId: number; bytes: number },
): Promise<void> {
  const totals = await selectTotals(scope, document, clientId);
  if (totals.count < MAX_VERSIONS && totals.bytes + bytes <= MAX_BYTES) return;
  throw limitError("versions", `A collaborative document has at most ${VERSION_LIMIT}. Delete some of them.`);
}

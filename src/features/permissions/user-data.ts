import { purgeRowsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";
import { selectPermissionPage } from "./permission-queries.ts";

/**
 * Purges the grants of the users, and the removals of token grants, which the deletion of a user makes superfluous by
 * revoking their tokens. Removals are not exported: they last two days.
 */
export const permissionData: UserDataKind = {
  kind: "permissions",
  columns: { grants: ["user_id"], removed_token_grants: ["user_id"] },
  steps: [
    purgeRowsStep({ table: "grants", writtenAt: "written_at" }),
    purgeRowsStep({ table: "removed_token_grants", writtenAt: "removed_at" }),
  ],
  selectPage: selectPermissionPage,
};

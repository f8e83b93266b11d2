import { purgeRowsStep } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";
import { selectPermissionPage } from "./queries.ts";

/**
 * Grants of the users are purged, also those of earlier versions. So are removals of token grants, which the deletion
 * of a user makes superfluous by revoking their tokens. Removals are not exported: they last two days.
 */
export const permissionData: UserDataKind = {
  kind: "permissions",
  columns: { grants: ["user_id"], document_users: ["user_id"], removed_token_grants: ["user_id"] },
  steps: [
    ...["grants", "document_users"].map((table) => purgeRowsStep({ table, writtenAt: "written_at" })),
    purgeRowsStep({ table: "removed_token_grants", writtenAt: "removed_at" }),
  ],
  selectPage: selectPermissionPage,
};

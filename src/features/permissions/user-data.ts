import { purgeRowsStep } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";
import { selectPermissionPage } from "./queries.ts";

/** Grants of the users are purged. */
export const permissionData: UserDataKind = {
  kind: "permissions",
  columns: { grants: ["user_id"] },
  steps: [purgeRowsStep({ table: "grants", writtenAt: "written_at" })],
  selectPage: selectPermissionPage,
};

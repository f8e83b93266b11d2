import { purgeRowsStep } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";
import { selectPermissionPage } from "./queries.ts";

/** Grants of the users are purged, also those of earlier versions. */
export const permissionData: UserDataKind = {
  kind: "permissions",
  columns: { grants: ["user_id"], document_users: ["user_id"] },
  steps: ["grants", "document_users"].map((table) => purgeRowsStep({ table, writtenAt: "written_at" })),
  selectPage: selectPermissionPage,
};

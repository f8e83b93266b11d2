import { purgeRowsStep } from "../../purge/steps.ts";
import type { UserDataKind } from "../../purge/user-data-kind.ts";
import { selectPreferenceExportPage } from "./notification-config-queries.ts";

/** Purges and exports the preferences of users. */
export const notificationConfigData: UserDataKind = {
  kind: "notificationConfigs",
  columns: { notification_configs: ["user_id"] },
  steps: [purgeRowsStep({ table: "notification_configs", writtenAt: "written_at" })],
  selectPage: selectPreferenceExportPage,
};

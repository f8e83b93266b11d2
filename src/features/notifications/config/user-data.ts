import { rowsOfUsers } from "../../user-data/steps.ts";
import type { UserData } from "../../user-data/user-data.ts";
import { selectUserPage } from "./queries.ts";

/** The users' preferences. */
export const notificationConfigData: UserData = {
  kind: "notificationConfigs",
  columns: { notification_configs: ["user_id"] },
  steps: [rowsOfUsers({ table: "notification_configs", writtenAt: "written_at" })],
  selectPage: selectUserPage,
};

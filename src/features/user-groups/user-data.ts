import { purgeRowsStep, redactMentionsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";
import { selectUserGroupExportPage } from "./user-group-queries.ts";

/** Group memberships of the users are purged; the groups stay. */
export const userGroupData: UserDataKind = {
  kind: "userGroups",
  columns: { user_group_members: ["user_id"], user_groups: ["record"] },
  steps: [
    purgeRowsStep({ table: "user_group_members", writtenAt: "written_at" }),
    redactMentionsStep({ table: "user_groups", key: ["group_id"], hasBytes: false }, ["groupId"]),
  ],
  selectPage: selectUserGroupExportPage,
};

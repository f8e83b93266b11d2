import { purgeRowsStep, stripMentionsStep } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";
import { selectUserGroupExportPage } from "./user-group-queries.ts";

/** Group memberships of the users are purged; the groups stay. */
export const userGroupData: UserDataKind = {
  kind: "userGroups",
  columns: { user_group_members: ["user_id"], user_groups: ["record"] },
  steps: [
    purgeRowsStep({ table: "user_group_members", writtenAt: "written_at" }),
    stripMentionsStep({ table: "user_groups", key: ["group_id"], hasBytes: false }, ["groupId"]),
  ],
  selectPage: selectUserGroupExportPage,
};

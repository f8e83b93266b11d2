import { purgeRowsStep, readAddresses, redactMentionsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";
import { selectUserExportPage } from "./user-queries.ts";

const ROWS = { table: "users", key: ["user_id"], writtenAt: "written_at" };

/** Records of the users, which form the contact list, are purged; mentions in others' metadata are removed. */
export const userRecordData: UserDataKind = {
  kind: "users",
  columns: { users: ["user_id", "record", "email", "initial"] },
  findAddresses: (organization, users) => readAddresses(organization, ROWS, "", users),
  steps: [purgeRowsStep(ROWS), redactMentionsStep({ ...ROWS, hasBytes: true }, ["userId"])],
  selectPage: selectUserExportPage,
};

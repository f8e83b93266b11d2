import { purgeRowsStep, readAddresses, redactMentionsStep } from "../purge/steps.ts";
import type { DeletedUsers, UserDataKind } from "../purge/user-data-kind.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";
import { selectFormerEmails, selectUserExportPage } from "./user-queries.ts";

const ROWS = { table: "users", key: ["user_id"], writtenAt: "written_at" };

async function* findAddresses(organization: StoredOrganization, users: DeletedUsers): AsyncGenerator<string> {
  yield* readAddresses(organization, ROWS, "", users);
  yield* await selectFormerEmails(organization, users.userIds);
}

/** Records of the users, which form the contact list, are purged; mentions in others' metadata are removed. */
export const userRecordData: UserDataKind = {
  kind: "users",
  columns: { users: ["user_id", "record", "email", "name", "initial"] },
  kept: { "users.former_emails": "Purged with the user. An address that others had too is theirs." },
  findAddresses,
  steps: [purgeRowsStep(ROWS), redactMentionsStep({ ...ROWS, hasBytes: true }, ["userId"])],
  selectPage: selectUserExportPage,
};

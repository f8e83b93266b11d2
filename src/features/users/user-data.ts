import { addressesIn, mentionsIn, rowsOfUsers } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";
import { selectDocumentsPage, selectUserPage } from "./queries.ts";

const ROWS = { table: "users", key: ["user_id"], writtenAt: "written_at" };

/** The users' records, from which the contact list is made; in others' metadata the users are not named any more. */
export const userRecordData: UserDataKind = {
  kind: "users",
  columns: { users: ["user_id", "record", "email"] },
  findAddresses: (database, scope) => addressesIn(database, ROWS, "", scope),
  steps: [rowsOfUsers(ROWS), mentionsIn({ ...ROWS, hasBytes: true }, ["userId"])],
  selectPage: selectUserPage,
};

/** The users' access to documents. */
export const documentUserData: UserDataKind = {
  kind: "documentAccess",
  columns: { document_users: ["user_id"] },
  steps: [rowsOfUsers({ table: "document_users", writtenAt: "written_at" })],
  selectPage: selectDocumentsPage,
};

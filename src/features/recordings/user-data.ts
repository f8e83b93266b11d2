import { addressesIn, mentionsIn, rowsOfUsers } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";
import { selectUserPage } from "./queries.ts";

const ROWS = { table: "recordings", key: ["id"], writtenAt: "created_at" };

/** What the users made goes; in what others made the users are not named any more. */
export const recordingData: UserDataKind = {
  kind: "recordings",
  columns: { recordings: ["user_id", "record"] },
  findAddresses: (database, scope) => addressesIn(database, ROWS, "from", scope),
  steps: [rowsOfUsers(ROWS), mentionsIn({ ...ROWS, hasBytes: true }, ["annotationId", "type", "metadata"])],
  selectPage: selectUserPage,
};

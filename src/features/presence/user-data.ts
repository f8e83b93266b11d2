import type { Queryable } from "../../database/database.ts";
import { rowsOfUsers } from "../user-data/steps.ts";
import type { UserData, UsersScope } from "../user-data/user-data.ts";
import { selectAddresses, selectUserPage } from "./queries.ts";

async function* findAddresses(database: Queryable, scope: UsersScope): AsyncGenerator<string> {
  for (const text of await selectAddresses(database, scope)) yield JSON.parse(text);
}

/** Where the users are or were present. */
export const presenceData: UserData = {
  kind: "presence",
  columns: { presence: ["user_id", "name", "email"] },
  findAddresses,
  steps: [rowsOfUsers({ table: "presence", writtenAt: "last_active" })],
  selectPage: selectUserPage,
};

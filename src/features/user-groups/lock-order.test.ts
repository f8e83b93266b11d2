import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../test/harness.ts";
import { untilWaiting } from "../../../test/lock-waits.ts";
import { runSql } from "../../../test/run-sql.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { insertDeletion } from "../user-data/deletion/user-deletion-queries.ts";
import { deleteUserRows, lockAllUserRecords } from "../users/user-queries.ts";
import { createWorkspace } from "../workspaces/workspaces.ts";
import { writeMembers } from "./user-group-queries.ts";

test("adding a member whose earlier membership is being purged causes no deadlock with deleting the user", async () => {
  const { database } = await createTestDatabase({ connections: 3 });
  const { workspaceId } = await createWorkspace(database, { name: "acme", activityServiceEnabled: true });
  const run = <Result>(work: Parameters<typeof inOrganization<{ id: string }, Result>>[3]) =>
    inOrganization(database, { id: workspaceId }, "acme", work);
  const ada = { id: "ada", record: '{"userId":"ada"}' };
  const add = () => run((scope) => writeMembers(scope, { id: "legal", record: "{}" }, [ada]));
  await run((scope) => runSql(scope, "insert into organizations values ($1, $2, 'acme')", [scope.key, workspaceId]));
  await add();
  const named = { userIds: ["ada"], organizationIds: undefined, kinds: [], requestedBy: undefined };
  await insertDeletion(database, { id: randomUUID(), workspaceId, tasksCount: 1, ...named });
  await runSql(database, "update users set written_at = written_at + 30000");
  let adding: Promise<unknown> | undefined;
  await run(async (scope) => {
    await lockAllUserRecords(scope, ["ada"]);
    adding = add();
    await untilWaiting(database);
    await deleteUserRows(scope, ["ada"]);
  });
  await adding;
  expect(await runSql(database, "select user_id from user_group_members")).toEqual([{ user_id: "ada" }]);
});

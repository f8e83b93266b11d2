import { expect, test } from "vitest";
import { createTestDatabase } from "../../../../../test/harness.ts";
import { runSql } from "../../../../../test/run-sql.ts";
import { getStatements } from "../../../../../test/sent-statements.ts";
import type { Database } from "../../../../database/database.ts";
import { acrossOrganizations } from "../../../tenancy/organization-scope.ts";
import { selectDueTargets } from "./webhook-message-queries.ts";

const HOUR = 60 * 60 * 1000;

/** Writes pending messages to a target, each of an organization of its own, that are due at or after a time. */
async function addMessages(database: Database, target: string, count: number, from: number): Promise<void> {
  await runSql(
    database,
    `insert into webhook_messages (organization_key, id, workspace_id, target, position, event, created_at, next_at,
       status, failures, attempts)
     select gen_random_uuid(), gen_random_uuid(), '00000000-0000-0000-0000-000000000001', $1, number, '{}', 0,
       $3::bigint + number, 'pending', 0, '[]'
     from generate_series(1, $2::int) as number`,
    [target, count, from],
  );
  await runSql(database, "vacuum analyze webhook_messages");
}

interface Plan {
  "Actual Rows": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Returns how many rows and blocks the statements of one look read. */
async function measureLook(database: Database): Promise<{ statements: number; rows: number; blocks: number }> {
  const queries = await getStatements(() => selectDueTargets(acrossOrganizations(database)));
  const cost = { statements: queries.length, rows: 0, blocks: 0 };
  for (const { text, values } of queries) {
    const [explained] = await runSql<{ "QUERY PLAN": { Plan: Plan }[] }>(
      database,
      `explain (analyze, buffers, format json) ${text}`,
      [...values],
    );
    let plan = explained?.["QUERY PLAN"][0]?.Plan;
    cost.blocks += (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
    while (plan?.Plans) plan = plan.Plans[0];
    cost.rows += (plan?.["Actual Rows"] ?? 0) + (plan?.["Rows Removed by Filter"] ?? 0);
  }
  return cost;
}

test("looking for due messages costs the same with 20,000 of them as with 2,000", async () => {
  const { database } = await createTestDatabase();
  // Citus reads a page of each shard, so each must have more than one.
  await addMessages(database, "slow", 2_000, 0);
  const before = await measureLook(database);
  await addMessages(database, "slow", 20_000, 2_000);
  await addMessages(database, "slow", 20_000, Date.now() + HOUR);
  const { statements, rows, blocks } = await measureLook(database);
  expect({ statements, rows }).toEqual({ statements: before.statements, rows: before.rows });
  // The index has one or two more levels.
  expect(blocks).toBeLessThan(before.blocks + 10);
});

test("each target with a message that is due is found once, whatever others wait for", async () => {
  const { database } = await createTestDatabase();
  const later = Date.now() + HOUR;
  await addMessages(database, "backlog", 250, 0);
  for (const target of ["due", "due later too", "last"]) await addMessages(database, target, 2, 0);
  await addMessages(database, "due later too", 250, later);
  await addMessages(database, "later", 250, later);
  const found = await selectDueTargets(acrossOrganizations(database));
  expect(found.map(({ target }) => target)).toEqual(["backlog", "due", "due later too", "last"]);
});

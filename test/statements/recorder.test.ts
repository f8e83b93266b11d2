import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sql, text } from "../../src/database/sql.ts";
import { userPages } from "../../src/features/purge/user-purge-queries.ts";
import { openOrganization } from "../../src/features/tenancy/organization-scope.ts";
import { createTestDatabase } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { EXEMPT, findRejected } from "./recorder.ts";

const BAD = sql`select record from activities where user_id = ${text("ada")}`;

test("a statement that Citus would reject is reported once, with the rule and its file", async () => {
  const { database } = await createTestDatabase();
  const organization = openOrganization(database, { id: "workspace" }, "acme");
  const selectPage = userPages({
    source: ({ userId }) => sql`from activities where user_id = ${text(userId)}`,
    keys: ["created_at", "sequence"],
    keyType: "bigint",
  });
  await selectPage(organization, "ada", undefined);
  const [rejected, ...others] = await findRejected();
  expect(others).toEqual([]);
  expect(rejected).toMatch(
    /^Citus would reject a statement of src\/[\w/-]+\.ts: each table must name its organization/,
  );
  expect(rejected).toContain('(rule "organization").\nselect');
  expect(rejected).toContain("from activities where user_id = $");
  await selectPage(organization, "ada", undefined);
  expect(await findRejected()).toEqual([]);
});

test("a statement of a test is not reported", async () => {
  const { database } = await createTestDatabase();
  await database.run(BAD);
  await runSql(database, "select record from activities where user_id = 'ada'");
  expect(await findRejected()).toEqual([]);
});

/** Returns a source with its fragments of SQL inserted where they are used, and line breaks replaced by spaces. */
function getStatements(source: string): string {
  const fragments = new Map(
    [...source.matchAll(/const (\w+)(?:: Sql)? = sql`([^`]*)`/g)].map(([, name, text]) => [name, text]),
  );
  const inserted = source.replace(/\$\{(\w+)\}/g, (whole, name) => fragments.get(name) ?? whole);
  return inserted.replace(/\s+/g, " ");
}

test("every exemption from the rules is of a statement that src/ still has", () => {
  const files = globSync("src/**/*.ts", { exclude: (name) => name.endsWith(".test.ts") });
  const sources = files.map((file) => getStatements(readFileSync(file, "utf8")));
  const unused = EXEMPT.filter(({ part }) => !sources.some((source) => source.includes(part)));
  expect(unused).toEqual([]);
});

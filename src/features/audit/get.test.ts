import { expect, test } from "vitest";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteExpiredRows } from "../../database/expiry.ts";
import type { Api } from "../../operations.ts";
import { insertAuditEntries } from "./audit-queries.ts";
import { deleteExpiredAuditEntries } from "./expiry.ts";

const PATH = "/v2/workspace/audit/get";
const service = await startOwnTestService();

/** Reads entries, newest first. */
function getEntries(workspace: TestWorkspace, filters: Api[typeof PATH]["request"] = {}) {
  return workspace.data(PATH, filters);
}

test("pages have every entry once, newest first, while others are added", async () => {
  const workspace = await service.workspace();
  for (const domain of ["a", "b", "c", "d"]) await addDomain(workspace, domain);
  const first = await workspace.result(PATH, { actions: ["domain.add"], pageSize: 2 });
  await addDomain(workspace, "e");
  const filters = { actions: ["domain.add" as const], pageSize: 2 };
  const second = await workspace.result(PATH, { ...filters, pageToken: first.pageToken });
  expect([...first.data, ...second.data].map(({ target }) => target)).toEqual(
    ["d", "c", "b", "a"].map((domain) => ({ domains: [`${domain}.example`] })),
  );
  expect(second.pageToken).toBeUndefined();
});

function addDomain(workspace: TestWorkspace, name: string) {
  return workspace.data("/v2/workspace/domains/add", { domains: [`${name}.example`] });
}

test("entries are found by action and time, and those of other workspaces are not", async () => {
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  await addDomain(workspace, "a");
  await addDomain(other, "b");
  const entries = await getEntries(workspace);
  const [newest, oldest] = [entries[0], entries.at(-1)];
  expect(await getEntries(workspace, { actions: ["domain.add", "domain.delete"] })).toEqual([newest]);
  expect(await getEntries(workspace, { actions: ["domain.delete"] })).toEqual([]);
  const { timestamp = 0 } = oldest ?? {};
  await runSql(service.database, "update audit_entries set created_at = $2 where record->>'id' = $1", [
    oldest?.id,
    timestamp - 1000,
  ]);
  expect(await getEntries(workspace, { to: timestamp })).toEqual([oldest]);
  expect(await getEntries(workspace, { from: timestamp })).toEqual(entries.slice(0, -1));
});

test("entries are found by the name of the token that acted", async () => {
  const workspace = await service.workspace();
  await addDomain(workspace, "a");
  const [added] = await getEntries(workspace);
  const actorName = added?.actor.name ?? "";
  expect(await getEntries(workspace, { actorName })).toEqual([added]);
  expect(await getEntries(workspace, { actorName: "other" })).toEqual([]);
  expect(await getEntries(workspace, { actorName, actions: ["domain.delete"] })).toEqual([]);
});

test("an entry may quote texts that PostgreSQL cannot read as JSON, and is found by its actor", async () => {
  const workspace = await service.workspace();
  const actor = { type: "token" as const, id: null, name: "backend" };
  const target = { organizationIds: ["a\0", "\ud800"] };
  const entry = { workspaceId: workspace.id, action: "user.add" as const, actor, target, clientAddress: null };
  await insertAuditEntries(service.database, [entry]);
  expect(await getEntries(workspace, { actorName: "backend" })).toMatchObject([{ target }]);
});

test("entries are deleted after the retention time, and no earlier", async () => {
  const workspace = await service.workspace();
  await addDomain(workspace, "a");
  const age = (days: number) =>
    runSql(
      service.database,
      "update audit_entries set created_at = $2 where workspace_id = $1 and action = 'workspace.add'",
      [workspace.id, Date.now() - days * 24 * 60 * 60 * 1000],
    );
  await age(29.99);
  await deleteExpiredRows(deleteExpiredAuditEntries(service.database, 30));
  expect(await getEntries(workspace)).toHaveLength(3);
  await age(30.01);
  await deleteExpiredRows(deleteExpiredAuditEntries(service.database, 30));
  expect(await getEntries(workspace)).toMatchObject([{ action: "domain.add" }, { action: "auth_token.add" }]);
});

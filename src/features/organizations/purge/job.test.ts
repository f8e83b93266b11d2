import { expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import { deletePrivateAnnotation } from "../../../../test/comments.ts";
import { insertEditing, insertUpdates } from "../../../../test/crdt.ts";
import { insertDelayedNotification } from "../../../../test/delayed-notifications.ts";
import { credentialsIn } from "../../../../test/examples.ts";
import { addActivities, copyActivity, readActivityIds } from "../../../../test/factories.ts";
import { UNFILLED } from "../../../../test/filled-documents.ts";
import { silentLog, startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { insertUnsentMail } from "../../../../test/mails.ts";
import {
  deleteRecords,
  ORGANIZATIONS,
  readRecords,
  setDisabled,
  untilOrganizationPurged,
  writeRecords,
} from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { recordStatements } from "../../../../test/sent-statements.ts";
import { size } from "../../../../test/sizes.ts";
import { storesIn } from "../../../../test/stores.ts";
import { insertUnsentMessage } from "../../../../test/webhooks.ts";
import { operations } from "../../../operations.ts";
import { OWNED_TABLES } from "../../purge/owned-tables.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { createPurgeOrganization } from "./job.ts";

/** Number of records; a step purges 2,000. */
const RECORDS = size({ usual: 20_000, long: 200_000 });
const service = await startOwnTestService();
const second = await service.secondProcess();
const DELETED = { success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/), message: "Organization deleted." };
const NOT_FOUND = { ...DELETED, success: false, code: "not-found", message: "Organization not found." };

/** What is left of an organization for as long as old tokens may name it. */
const LEFT = { removed_token_grants: 1 };

/** Operations on one organization. */
const onOrganizations = operations.filter(({ example }) => "organizationId" in Object(example));

function requestIn(organizationId: string, example: unknown): object {
  return { ...Object(example), organizationId };
}

/** Writes a record of every kind that an organization can have. */
async function fill(workspace: TestWorkspace, organizationId: string): Promise<void> {
  await workspace.result("/v2/events/get", { organizationId });
  for (const { path, example } of onOrganizations.filter(({ path }) => /\/(add|set|broadcast)$/.test(path))) {
    await workspace.uncheckedResult(path, requestIn(organizationId, example));
  }
  await workspace.result("/v2/users/add", { organizationId, users: [{ userId: "ada" }], documentId: "contract-7" });
  const resources = [{ type: "organization" as const, id: organizationId }];
  await workspace.result("/v2/auth/permissions/remove", { userId: "nobody", permissions: { resources } });
  await deletePrivateAnnotation(workspace, { organizationId, documentId: "contract-7" });
  await insertUnsentMail(service.database, workspace, organizationId, "contract-7");
  const key = organizationKey(workspace.id, organizationId);
  await insertDelayedNotification(service.database, key);
  await insertUnsentMessage(service.database, workspace, organizationId, "contract-7");
  await insertUpdates(service.database, key);
  await insertEditing(service.database, key);
  await runSql(
    service.database,
    `insert into document_migrations (organization_key, id, from_document_id, to_document_id, was_disabled)
     values ($1, 'migration', 'contract-6', 'contract-8', false)`,
    [key],
  );
}

/** Counts the rows of each table that has any. */
async function getRows(workspace: TestWorkspace, organizationId: string): Promise<{ [table: string]: number }> {
  const key = organizationKey(workspace.id, organizationId);
  const counts = OWNED_TABLES.map(
    ({ name }) => `select '${name}' as name, count(*) as count from ${name}
    where organization_key = $1`,
  );
  const rows = await runSql<{ name: string; count: number }>(service.database, counts.join(" union all "), [key]);
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}

async function deleteOrganization(workspace: TestWorkspace, organizationId = "acme") {
  expect(await deleteRecords(workspace, ORGANIZATIONS, [organizationId])).toEqual({ [organizationId]: DELETED });
}

test("the organization is purged; others, even of the same ID in another workspace, stay", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await Promise.all([fill(workspace, "acme"), fill(workspace, "globex"), fill(other, "acme")]);
  const full = await getRows(workspace, "acme");
  expect(Object.keys(full)).toEqual(
    OWNED_TABLES.map(({ name }) => name).filter((name) => ![UNFILLED, "document_purges"].includes(name)),
  );
  await deleteOrganization(workspace);
  await untilOrganizationPurged(service, workspace);
  expect(await getRows(workspace, "acme")).toEqual(LEFT);
  expect([await getRows(workspace, "globex"), await getRows(other, "acme")]).toEqual([full, full]);
});

test("every operation in an organization that is being deleted is rejected by every process", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["activity"]);
  await beforePurge(service, async () => {
    await deleteOrganization(workspace);
    for (const { path, example, errors } of onOrganizations) {
      expect(errors, path).toContain("FAILED_PRECONDITION");
      for (const caller of [workspace, workspace.at(second.address)]) {
        const request = { ...requestIn("acme", example), ...credentialsIn(workspace, example) };
        const error = await caller.error(path, request);
        const details = { reason: "organization_being_deleted" };
        expect(error, path).toMatchObject({ status: "FAILED_PRECONDITION", details });
      }
    }
  });
});

test("an organization that is being deleted is not returned, and cannot be changed or added", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, ORGANIZATIONS, "add", ["acme", "globex"]);
  await beforePurge(service, async () => {
    await deleteOrganization(workspace);
    expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([ORGANIZATIONS.minimal("globex")]);
    expect(await readRecords(workspace, ORGANIZATIONS, { organizationIds: ["acme"] })).toEqual([]);
    expect(await workspace.data("/v1/organizations/get", {})).toEqual([ORGANIZATIONS.minimal("globex")]);
    expect(await writeRecords(workspace, ORGANIZATIONS, "add", ["acme"])).toMatchObject({ acme: { success: false } });
    expect(await writeRecords(workspace, ORGANIZATIONS, "update", ["acme"])).toEqual({ acme: NOT_FOUND });
    expect(await setDisabled(workspace, true)).toMatchObject({ acme: { success: false } });
    expect(await deleteRecords(workspace, ORGANIZATIONS, ["acme"])).toEqual({ acme: NOT_FOUND });
  });
});

test("the ID of a purged organization can be used for a new one, enabled and empty", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, ORGANIZATIONS, "add", [{ organizationId: "acme", plan: "old" }]);
  await addActivities(workspace, ["old"]);
  await setDisabled(workspace, true);
  await deleteOrganization(workspace);
  await untilOrganizationPurged(service, workspace);
  await addActivities(workspace, ["new"]);
  expect(await readActivityIds(workspace)).toEqual(["new"]);
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([ORGANIZATIONS.minimal("acme")]);
});

test("a job that runs again after its end does not affect a new organization of the same ID", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["new"]);
  const mark = { organizationKey: organizationKey(workspace.id, "acme"), deletedAt: "1795233659.333123" };
  const context = { database: service.database, log: silentLog, signal: new AbortController().signal };
  await createPurgeOrganization(storesIn(workspace.id)).run(context, mark);
  expect(await readActivityIds(workspace)).toEqual(["new"]);
});

test("the metrics count the jobs", async () => {
  const metrics = await (await fetch(`${service.address}/metrics`)).text();
  for (const job of ["purge-documents", "purge-organization"]) {
    expect(metrics).toMatch(new RegExp(`^colloquy_jobs\\{name="${job}",state="queued"\\} \\d+$`, "m"));
  }
});

test("a missing organization fails alone, and a repeated ID has one result in the response", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, ORGANIZATIONS, "add", ["a", "b"]);
  const results = await deleteRecords(workspace, ORGANIZATIONS, ["a", "missing", "__proto__", "a"]);
  expect(Object.entries(results)).toEqual([
    ["a", DELETED],
    ["missing", NOT_FOUND],
    ["__proto__", NOT_FOUND],
  ]);
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([ORGANIZATIONS.minimal("b")]);
});

test("of twelve concurrent deletions exactly one succeeds", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["activity"]);
  const deletes = Array.from({ length: 12 }, () => deleteRecords(workspace, ORGANIZATIONS, ["acme"]));
  expect((await Promise.all(deletes)).filter(({ acme }) => acme?.success)).toEqual([{ acme: DELETED }]);
  await untilOrganizationPurged(service, workspace);
});

test("a write that begins before the deletion and commits after it leaves nothing behind", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  const key = organizationKey(workspace.id, "acme");
  await beforePurge(service, async (writer) => {
    await runSql(writer, "select from organizations where organization_key = $1", [key]);
    await deleteOrganization(workspace);
    await expect.poll(() => getRows(workspace, "acme")).toEqual({});
    await runSql(
      writer,
      `insert into activities (organization_key, id, document_id, user_id, feature_type, action_type, created_at,
         sequence, record, record_bytes)
       values ($1, 'late', 'contract-7', 'ada', 'comment', 'comment.add', 1, 1, '{}', 2)`,
      [key],
    );
  });
  await untilOrganizationPurged(service, workspace);
  expect(await getRows(workspace, "acme")).toEqual(LEFT);
});

test("writes during the deletion leave nothing behind, and each succeeds or is rejected", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["first"]);
  await beforePurge(service, async () => {
    const calls = Array.from({ length: 40 }, async (_, index) => {
      const caller = index % 2 ? workspace : workspace.at(second.address);
      if (index === 20) await deleteOrganization(workspace);
      const { example } = operations.find(({ path }) => path === "/v2/activities/add") ?? {};
      const { httpStatus, body } = await caller.call("/v2/activities/add", requestIn("acme", example));
      if (httpStatus !== 200)
        expect(body).toMatchObject({ error: { details: { reason: "organization_being_deleted" } } });
    });
    await Promise.all(calls);
  });
  await untilOrganizationPurged(service, workspace);
  expect(await getRows(workspace, "acme")).toEqual(LEFT);
});

test("the purge waits for locked rows", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "locked", "z"]);
  const key = organizationKey(workspace.id, "acme");
  await beforePurge(service, async (holder) => {
    await runSql(holder, "select from activities where organization_key = $1 and id = 'locked' for update", [key]);
    await deleteOrganization(workspace);
    await expect.poll(() => getRows(workspace, "acme")).toEqual({ activities: 1 });
  });
  await untilOrganizationPurged(service, workspace);
  expect(await getRows(workspace, "acme")).toEqual(LEFT);
});

test("twenty organizations that two processes delete concurrently are all purged", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 20 }, (_, index) => `organization-${index}`);
  await Promise.all(ids.map((organizationId) => addActivities(workspace, ["a", "b"], { organizationId })));
  await Promise.all([
    deleteRecords(workspace, ORGANIZATIONS, ids.slice(0, 10)),
    deleteRecords(workspace.at(second.address), ORGANIZATIONS, ids.slice(10)),
  ]);
  for (const id of ids) await untilOrganizationPurged(service, workspace, id);
  for (const id of ids) expect(await getRows(workspace, id)).toEqual(LEFT);
});

test(`${RECORDS} records are purged in short steps that lock no table and no other organization`, async () => {
  const workspace = await service.workspace();
  const other = { organizationId: "globex" };
  await Promise.all([addActivities(workspace, ["a"]), addActivities(workspace, ["a"], other)]);
  const key = organizationKey(workspace.id, "acme");
  // Simulates the first minute after a table has grown, when the planner still assumes that it is small.
  await runSql(service.database, "alter table activities set (autovacuum_enabled = off)");
  await runSql(service.database, "analyze activities");
  await copyActivity(service.database, key, "a", RECORDS - 1);
  const steps = recordStatements(/to_purge[\s\S]* from activities\s/);
  await deleteOrganization(workspace);
  const counts = new Set<number>();
  const locks = new Set<string>();
  for (let left = RECORDS; left > 0; ) {
    const rows = await runSql<{ modes: string[] | null }>(
      service.database,
      `select array_agg(distinct mode) as modes from pg_locks join pg_stat_activity using (pid)
       where relation = 'activities'::regclass and backend_type = 'client backend'`,
    );
    for (const mode of rows[0]?.modes ?? []) locks.add(mode);
    await addActivities(workspace, ["a"], other);
    expect(await readActivityIds(workspace, other)).toEqual(["a"]);
    left = (await getRows(workspace, "acme")).activities ?? 0;
    counts.add(left);
  }
  await untilOrganizationPurged(service, workspace);
  expect([...counts].filter((count) => count % 2_000 !== 0)).toEqual([]);
  expect(steps.length).toBeGreaterThanOrEqual(RECORDS / 2_000);
  expect([...locks].filter((mode) => !["AccessShareLock", "RowShareLock", "RowExclusiveLock"].includes(mode))).toEqual(
    [],
  );
});

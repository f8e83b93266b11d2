import { expect, inject, onTestFinished, test } from "vitest";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { getDatabaseName, runQuery } from "../servers.ts";

const [serverUrl = ""] = inject("serverUrls");
const service = await startOwnTestService();
const name = getDatabaseName(service.config.databaseUrl);

/** Makes the database reject connections, ends those that are open, and renames it if asked to. */
async function closeDatabase(renamed: string): Promise<void> {
  await runQuery(serverUrl, `alter database ${name} allow_connections false`);
  const end = `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${name}'`;
  await runQuery(serverUrl, end);
  if (renamed !== name) await runQuery(serverUrl, `alter database ${name} rename to ${renamed}`);
}

async function openDatabase(renamed: string): Promise<void> {
  if (renamed !== name) await runQuery(serverUrl, `alter database ${renamed} rename to ${name}`);
  await runQuery(serverUrl, `alter database ${name} allow_connections true`);
}

async function getState(workspace: TestWorkspace): Promise<unknown> {
  const { httpStatus, body } = await workspace.call("/v2/activities/get", { organizationId: SCOPE.organizationId });
  const ready = await fetch(`${service.address}/readyz`);
  const { error } = Object(await ready.json());
  return { call: [httpStatus, Object(body).error?.details?.reason], ready: [ready.status, error?.message] };
}

test.each([
  { what: "has another name", renamed: `${name}_away`, message: "The database of DATABASE_URL does not exist." },
  { what: "allows no connections", renamed: name, message: "The database rejects connections." },
])("while the database $what, requests are UNAVAILABLE and /readyz says why", async ({ renamed, message }) => {
  const workspace = await service.workspace();
  await closeDatabase(renamed);
  let isOpen = false;
  const open = async () => {
    if (!isOpen) await openDatabase(renamed);
    isOpen = true;
  };
  onTestFinished(open);
  await eventually(async () =>
    expect(await getState(workspace)).toEqual({ call: [503, "database_unavailable"], ready: [503, message] }),
  );
  await open();
  await eventually(async () =>
    expect(await getState(workspace)).toEqual({ call: [200, undefined], ready: [200, undefined] }),
  );
});

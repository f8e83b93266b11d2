import { expect, test } from "vitest";
import { type ActivityRecord, addActivities, readActivities, SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { MIB_BEFORE_MULTIPLYING, multiplyRecordBytes } from "../../../../test/record-bytes.ts";
import { sql, uuid } from "../../../database/sql.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import type { Api } from "../../../operations.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { transactionalAcrossOrganizations } from "../../tenancy/organization-scope.ts";
import { selectWorkspaceActivityPage } from "./workspace-activity-queries.ts";

const PATH = "/v2/workspace/activities/get";
const service = await startTestService();

function read(workspace: TestWorkspace, request: Api[typeof PATH]["request"] = {}): Promise<ActivityRecord[]> {
  return workspace.data(PATH, request);
}

async function readIds(workspace: TestWorkspace, request: Api[typeof PATH]["request"] = {}): Promise<string[]> {
  return (await read(workspace, request)).map(({ id }) => id);
}

test("activities of all organizations are returned newest first, each as its organization returns it", async () => {
  const workspace = await service.workspace();
  expect(await read(workspace)).toEqual([]);
  for (const [id, organizationId] of Object.entries({ a: "acme", b: "globex", c: "acme", d: "initech", e: "globex" })) {
    await addActivities(workspace, [{ id, entityData: { "\0": "\ud800" } }], { organizationId });
  }
  const all = await read(workspace);
  expect(all.map(({ id }) => id)).toEqual(["e", "d", "c", "b", "a"]);
  expect(all.filter(({ id }) => id === "a" || id === "c")).toEqual(await readActivities(workspace));
  expect(await readIds(workspace, { pageSize: 2 })).toEqual(["e", "d"]);
});

test("only the newest activities are returned, even if all are of one organization", async () => {
  const workspace = await service.workspace();
  for (const organizationId of ["a", "b", "c"]) await addActivities(workspace, [organizationId], { organizationId });
  const ids = Array.from({ length: 30 }, (_, index) => `new-${index}`);
  await addActivities(workspace, ids, { organizationId: "a" });
  expect(await readIds(workspace)).toEqual(ids.toReversed().slice(0, 20));
  expect(await readIds(workspace, { pageSize: 32 })).toEqual([...ids.toReversed(), "c", "b"]);
  expect(await readIds(workspace, { pageSize: 100 })).toEqual([...ids.toReversed(), "c", "b", "a"]);
});

test("activities of an organization that is disabled or being deleted are omitted, and return with it", async () => {
  const workspace = await service.workspace();
  for (const organizationId of ["open", "off", "gone"]) {
    await addActivities(workspace, [organizationId], { organizationId });
  }
  const disable = (disabled: boolean) =>
    workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled });
  await disable(true);
  await workspace.data("/v2/organizations/delete", { organizationIds: ["gone"] });
  expect(await readIds(workspace)).toEqual(["open"]);
  await disable(false);
  expect(await readIds(workspace)).toEqual(["off", "open"]);
});

test("the activities of other workspaces are not returned", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addActivities(theirs, ["theirs"]);
  expect(await read(mine)).toEqual([]);
});

test("a response ends with the record that passes 8 MiB", async () => {
  const workspace = await service.workspace();
  const entityData = "x".repeat(3 * MIB_BEFORE_MULTIPLYING);
  for (const id of ["a", "b", "c", "d"]) await addActivities(workspace, [{ id, entityData }]);
  await multiplyRecordBytes(service.database, workspace, "activities");
  expect(await readIds(workspace)).toEqual(["d", "c", "b"]);
});

test.each([0, 101, 2.5, "20"])("the pageSize %j is INVALID_ARGUMENT", async (pageSize) => {
  const error = await (await service.workspace()).error(PATH, { pageSize });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.pageSize must/) });
});

/** Reads the IDs on all pages. */
async function readAllIds(workspace: TestWorkspace, request: object): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const result = await workspace.result(PATH, { ...request, ...(pageToken && { pageToken }) });
    ids.push(...result.data.map(({ id }) => id));
    pageToken = result.pageToken;
  } while (pageToken !== undefined);
  return ids;
}

test("pages of any size contain each activity once, in order", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 9 }, (_, index) => `${index}`);
  for (const id of ids) await addActivities(workspace, [id], { organizationId: `organization-${Number(id) % 4}` });
  for (const pageSize of [1, 2, 4, 9]) {
    expect(await readAllIds(workspace, { pageSize })).toEqual(ids.toReversed());
  }
});

test("a page is full though an activity is deleted while it is read", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "b", "c", "d"]);
  const results: unknown[] = [];
  const deleting: TransactionalQueryable = {
    transaction: (work) => service.database.transaction(work),
    async run(statement) {
      const result = await service.database.run(statement);
      // The statements that find out what is on the page have been run.
      if (results.push(result) === 4) {
        await workspace.data("/v2/activities/delete", { organizationId: "acme", activityIds: ["d"] });
      }
      return result;
    },
  };
  const asked = { pageSize: 2, after: undefined };
  const { records, next } = await selectWorkspaceActivityPage(
    transactionalAcrossOrganizations(deleting),
    workspace.id,
    {},
    asked,
  );
  expect(JSON.parse(records)).toMatchObject([{ id: "c" }, { id: "b" }]);
  expect(next).toBeDefined();
});

test("a query of all organizations finds few records far behind the newest, and pages of many", async () => {
  const workspace = await service.workspace();
  const said = (count: number, displayMessageTemplate: string) =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, displayMessageTemplate }));
  await addActivities(workspace, said(2, "signed"));
  for (const organizationId of ["globex", "initech"]) {
    await addActivities(workspace, said(300, "opened"), { organizationId });
  }
  expect(await readAllIds(workspace, { query: "signed" })).toEqual(["1", "0"]);
  const newestFirst = said(300, "")
    .map(({ id }) => id)
    .toReversed();
  expect(await readAllIds(workspace, { query: "opened", pageSize: 80 })).toEqual([...newestFirst, ...newestFirst]);
});

test("a query of all organizations finds matches of any age, in order", async () => {
  const workspace = await service.workspace();
  const recent = 10_000_000;
  const at = (since: number, displayMessageTemplate: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const timestamp = since + index;
      return { id: `${timestamp}`, timestamp, displayMessageTemplate };
    });
  await addActivities(workspace, at(recent, "opened", 250));
  await addActivities(workspace, at(recent + 250, "opened", 250), { organizationId: "globex" });
  // The newest 500 are of half a second, so these are within 20 and within 400 times their time, and before.
  const signed = [0, recent - 100_000, recent - 5_000].flatMap((since) => at(since, "signed", 40));
  await addActivities(workspace, signed.slice(0, 60));
  await addActivities(workspace, signed.slice(60), { organizationId: "globex" });
  const newestFirst = signed.map(({ id }) => id).toReversed();
  for (const pageSize of [30, 70, 100]) {
    expect(await readAllIds(workspace, { query: "signed", pageSize })).toEqual(newestFirst);
  }
});

test("activities of all organizations are filtered by user, types, words and time", async () => {
  const workspace = await service.workspace();
  const grace = { userId: "grace", name: "Grace Hopper" };
  const said = (displayMessageTemplate: string) => ({ displayMessageTemplate });
  await addActivities(workspace, [{ id: "a", timestamp: 1_000, actionUser: grace, ...said("Signed the lease") }]);
  const globex = { organizationId: "globex" };
  await addActivities(workspace, [{ id: "b", timestamp: 2_000, actionType: "crdt.edit", featureType: "crdt" }], globex);
  await addActivities(workspace, [{ id: "c", timestamp: 3_000, actionUser: grace, ...said("Read the lease") }], globex);
  await addActivities(workspace, [{ id: "d", timestamp: 4_000, actionUser: grace, ...said("Signed a note") }], globex);
  expect(await readIds(workspace, { userId: "grace" })).toEqual(["d", "c", "a"]);
  expect(await readIds(workspace, { featureTypes: ["crdt"] })).toEqual(["b"]);
  expect(await readIds(workspace, { actionTypes: ["crdt.edit", "none"] })).toEqual(["b"]);
  expect(await readIds(workspace, { from: 2_000, to: 4_000 })).toEqual(["c", "b"]);
  expect(await readIds(workspace, { query: "lease" })).toEqual(["c", "a"]);
  expect(await readIds(workspace, { query: "signed -lease", userId: "grace" })).toEqual(["d"]);
  expect(await readIds(workspace, { query: "-" })).toEqual([]);
  const { data, pageToken = "" } = await workspace.result(PATH, { query: "signed", pageSize: 1 });
  expect(data.map(({ id }) => id)).toEqual(["d"]);
  expect(await readIds(workspace, { query: "signed", pageToken })).toEqual(["a"]);
  expect(await readIds(await service.workspace(), { query: "lease" })).toEqual([]);
  const organizationIds = ["globex"];
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
  expect(await readIds(workspace, { query: "lease" })).toEqual(["a"]);
  expect(await readIds(workspace, { userId: "grace" })).toEqual(["a"]);
});

/** Adds organizations until there are so many that the newest activities are looked for by their time. */
async function addOrganizations(workspace: TestWorkspace): Promise<void> {
  const organizations = Array.from({ length: 500 }, (_, number) => ({ organizationId: `empty-${number}` }));
  const named = organizations.map((organization) => ({ ...organization, organizationName: "Empty" }));
  await workspace.data("/v2/organizations/add", { organizations: named });
}

test.each([
  ["within seconds", 10],
  ["within hours", 60_000],
  ["within years", 40_000_000],
])("in many organizations, activities %s are the same as in few", async (_, intervalMs) => {
  const [few, many] = await Promise.all([service.workspace(), service.workspace()]);
  await addOrganizations(many);
  const now = Date.now();
  const activities = Array.from({ length: 600 }, (_, number) => ({
    id: `${number}`,
    timestamp: now - 1_000 - number * intervalMs,
    featureType: number % 7 === 0 ? ("reaction" as const) : ("comment" as const),
    displayMessageTemplate: number % 90 === 0 ? "signed" : "opened",
  }));
  for (const workspace of [few, many]) {
    for (const organizationId of ["a", "b", "c"]) {
      const ofOrganization = activities.filter(({ id }) => "abc"[Number(id) % 3] === organizationId);
      await addActivities(workspace, ofOrganization, { organizationId, documentId: organizationId });
    }
    await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["c"], disabled: true });
    const documents = { organizationId: "b", documentIds: ["b"], disabled: true };
    await workspace.data("/v2/organizations/documents/access/disablestate/update", documents);
    await addActivities(workspace, [{ id: "last", timestamp: now }], { organizationId: "b", documentId: "open" });
  }
  const from = now - 300 * intervalMs;
  for (const filters of [{}, { from }, { to: from }, { featureTypes: ["reaction" as const] }, { query: "signed" }]) {
    const ids = await readAllIds(few, { ...filters, pageSize: 40 });
    expect(ids.length).toBeGreaterThan(0);
    expect(await readAllIds(many, { ...filters, pageSize: 40 })).toEqual(ids);
  }
});

test("activities behind too many newer ones of other workspaces are found", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addOrganizations(mine);
  const ids = Array.from({ length: 30 }, (_, number) => `${number}`);
  await addActivities(mine, ids);
  await addActivities(theirs, ["theirs"]);
  await service.database.run(
    sql`insert into activities (organization_key, id, document_id, user_id, feature_type, action_type, created_at,
        sequence, record, record_bytes)
      select organization_key, id || n, document_id, user_id, feature_type, action_type, created_at,
        nextval('activity_sequence'), record, record_bytes
      from activities, generate_series(1, 10001) as n
      where organization_key = ${uuid(organizationKey(theirs.id, SCOPE.organizationId))}`,
  );
  expect(await readAllIds(mine, { pageSize: 8 })).toEqual(ids.toReversed());
});

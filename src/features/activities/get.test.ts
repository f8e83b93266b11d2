import { expect, test } from "vitest";
import { readWorkspace } from "../../../test/calling-workspace.ts";
import {
  type ActivityFilters,
  addActivities,
  copyActivity,
  readActivities,
  readActivityIds,
  readActivityPages,
  SCOPE,
} from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { MIB_BEFORE_MULTIPLYING, multiplyRecordBytes, setRecordBytes } from "../../../test/record-bytes.ts";
import { runSql } from "../../../test/run-sql.ts";
import { PageTokens } from "../../http/page-token.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { selectActivityPage } from "./activity-queries.ts";

const PATH = "/v2/activities/get";
const MIB = 1024 * 1024;
/** Number of activities that the transaction has read so far, by index and by reading the table. */
const ROWS_READ = `select (pg_stat_get_xact_tuples_fetched('activities'::regclass)
  + pg_stat_get_xact_tuples_returned('activities'::regclass))::int as rows`;
const { organizationId } = SCOPE;
const service = await startTestService();

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `activity-${index + 1}`);
}

/** Adds records of two documents, targets and users, and two of each type. */
async function workspaceWithActivities() {
  const workspace = await service.workspace();
  await addActivities(workspace, [
    { id: "plain" },
    { id: "target", targetEntityId: "entity-1" },
    { id: "other target", targetEntityId: "entity-2" },
    { id: "user", actionUser: { userId: "grace" } },
    { id: "reaction", featureType: "reaction", actionType: "reaction.add" },
  ]);
  await addActivities(workspace, [{ id: "document", targetEntityId: "entity-1" }], { documentId: "contract-8" });
  return workspace;
}

test("the newest record comes first unless order is asc", async () => {
  const workspace = await service.workspace();
  for (const id of ["a", "b", "c"]) await addActivities(workspace, [id]);
  const newestFirst = await readActivities(workspace);
  expect(newestFirst.map(({ id }) => id)).toEqual(["c", "b", "a"]);
  expect(await readActivities(workspace, { order: "desc" })).toEqual(newestFirst);
  expect(await readActivities(workspace, { order: "asc" })).toEqual(newestFirst.toReversed());
});

test.each<[string, ActivityFilters, string[]]>([
  ["no filter", {}, ["plain", "target", "other target", "user", "reaction", "document"]],
  ["documentId", { documentId: "contract-8" }, ["document"]],
  ["targetEntityId", { targetEntityId: "entity-1" }, ["target", "document"]],
  ["userId, of actionUser", { userId: "grace" }, ["user"]],
  ["featureTypes", { featureTypes: ["reaction"] }, ["reaction"]],
  ["actionTypes", { actionTypes: ["reaction.add"] }, ["reaction"]],
  ["activityIds", { activityIds: ["plain"] }, ["plain"]],
  ["the values in featureTypes with OR", { featureTypes: ["crdt", "reaction"] }, ["reaction"]],
  ["the values in actionTypes with OR", { actionTypes: ["x", "reaction.add"] }, ["reaction"]],
  ["the values in activityIds with OR", { activityIds: ["user", "missing", "plain"] }, ["plain", "user"]],
  ["a document and a target with AND", { documentId: "contract-7", targetEntityId: "entity-1" }, ["target"]],
  ["a user and a type with AND", { userId: "grace", featureTypes: ["reaction"] }, []],
  ["ids and a user with AND", { activityIds: ["user", "plain"], userId: "ada" }, ["plain"]],
  ["two lists with AND", { featureTypes: ["reaction", "comment"], actionTypes: ["reaction.add"] }, ["reaction"]],
  ["a value that no record has", { targetEntityId: "plain" }, []],
])("activities are filtered by %s", async (_title, filters, ids) => {
  const workspace = await workspaceWithActivities();
  expect(await readActivityIds(workspace, filters)).toEqual(ids);
});

test("an organization without records returns none, and reading does not create it", async () => {
  const workspace = await service.workspace();
  expect(await readActivityPages(workspace)).toEqual([[]]);
  expect(await workspace.data("/v1/organizations/get", {})).toEqual([]);
});

test.each(["asc", "desc"] as const)("the pages together are the whole list, in order %s", async (order) => {
  const workspace = await service.workspace();
  await addActivities(workspace, names(11));
  const pages = await readActivityPages(workspace, { order, pageSize: 4 });
  expect(pages.map((page) => page.length)).toEqual([4, 4, 3]);
  expect(pages.flat()).toEqual(await readActivities(workspace, { order }));
});

test("all pages apply their filters", async () => {
  const workspace = await service.workspace();
  for (const documentId of ["a", "b", "a", "b"]) await addActivities(workspace, [{}, {}, {}], { documentId });
  const pages = await readActivityPages(workspace, { documentId: "b", pageSize: 4 });
  expect(pages.map((page) => page.length)).toEqual([4, 2]);
  expect(pages.flat()).toEqual(await readActivities(workspace, { documentId: "b" }));
});

test.each<[string, ActivityFilters]>([
  ["featureTypes", { featureTypes: ["reaction", "comment", "reaction"] }],
  ["actionTypes", { actionTypes: ["a", "b", "missing"] }],
  ["both", { actionTypes: ["a", "b"], featureTypes: ["comment", "reaction"] }],
])("the pages of a list of types have each match once, in order: %s", async (_title, filters) => {
  const workspace = await service.workspace();
  const types = { a: "comment", b: "reaction", c: "crdt" } as const;
  for (const actionType of ["a", "b", "c", "b", "b", "a", "c", "a"] as const) {
    await addActivities(workspace, [{ actionType, featureType: types[actionType] }]);
  }
  const all = await readActivities(workspace, { order: "asc" });
  const matches = all.filter(({ actionType }) => actionType !== "c");
  for (const order of ["asc", "desc"] as const) {
    const pages = await readActivityPages(workspace, { ...filters, order, pageSize: 2 });
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2]);
    expect(pages.flat()).toEqual(order === "asc" ? matches : matches.toReversed());
  }
});

test.each<[string, ActivityFilters]>([
  ["a document and a user", { documentId: "a", userId: "grace" }],
  ["a document, a user and a type", { documentId: "a", userId: "grace", featureTypes: ["comment"] }],
  ["a document, a user and a list of types", { documentId: "a", userId: "grace", actionTypes: ["add", "missing"] }],
  ["a target and a type", { targetEntityId: "a-grace", actionTypes: ["add"] }],
])("the pages of several filters have each match once, in order: %s", async (_title, filters) => {
  const workspace = await service.workspace();
  for (const documentId of ["a", "b", "a", "b", "a"]) {
    const activities = ["grace", "ada", "grace"].map((userId) => ({
      actionUser: { userId },
      targetEntityId: `${documentId}-${userId}`,
      actionType: "add",
    }));
    await addActivities(workspace, activities, { documentId });
  }
  const all = await readActivities(workspace, { order: "asc" });
  const matches = all.filter(({ targetEntityId }) => targetEntityId === "a-grace");
  for (const order of ["asc", "desc"] as const) {
    const pages = await readActivityPages(workspace, { ...filters, order, pageSize: 2 });
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2]);
    expect(pages.flat()).toEqual(order === "asc" ? matches : matches.toReversed());
  }
});

test.each<[string, Parameters<typeof selectActivityPage>[1]]>([
  ["featureTypes", { featureTypes: ["crdt", "custom"] }],
  ["actionTypes", { actionTypes: ["rare", "missing"] }],
])("a list of types that few records have is found by its index, without reading the feed: %s", async (_, filters) => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "rare", featureType: "crdt", actionType: "rare" }, "common"]);
  const key = organizationKey(workspace.id, organizationId);
  await copyActivity(service.database, key, "common", 2_000);
  const page = { order: "desc", pageSize: 10, after: undefined } as const;
  const calling = await readWorkspace(service, workspace);
  const { length, rowsRead } = await service.database.transaction(async (transaction) => {
    const { length } = await selectActivityPage(openOrganization(transaction, calling, organizationId), filters, page);
    const [row] = await runSql<{ rows: number }>(transaction, ROWS_READ);
    return { length, rowsRead: row?.rows };
  });
  expect(length).toBe(1);
  expect(rowsRead).toBeLessThan(100);
});

test("the last page has no pageToken, even if it is full", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, names(4));
  const first = await workspace.result(PATH, { organizationId, pageSize: 2 });
  const { pageToken } = first;
  const last = await workspace.result(PATH, { organizationId, pageSize: 2, pageToken });
  expect(first).toHaveProperty("pageToken", expect.any(String));
  expect(last).not.toHaveProperty("pageToken");
});

test("a page has 1,000 records by default", async () => {
  const workspace = await service.workspace();
  for (const part of ["a", "b", "c"])
    await addActivities(
      workspace,
      names(part === "c" ? 1 : 500).map((id) => part + id),
    );
  expect((await readActivityPages(workspace)).map((page) => page.length)).toEqual([1000, 1]);
});

test.each([0, 1001, 2.5, -1])("a pageSize of %d is INVALID_ARGUMENT", async (pageSize) => {
  const error = await (await service.workspace()).error(PATH, { organizationId, pageSize });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.pageSize must be/),
  });
});

test("a page ends with the record that passes 8 MiB, and the next page continues", async () => {
  const workspace = await service.workspace();
  const ids = names(10);
  for (const id of ids) await addActivities(workspace, [{ id, entityData: "x".repeat(MIB_BEFORE_MULTIPLYING) }]);
  await multiplyRecordBytes(service.database, workspace, "activities");
  const pages = await readActivityPages(workspace, { order: "asc" });
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 8), ids.slice(8)]);
});

test("a record larger than 8 MiB has a page of its own", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["large"]);
  await setRecordBytes(service.database, workspace, "activities", 9 * MIB);
  await addActivities(workspace, ["small"]);
  const pages = await readActivityPages(workspace, { order: "asc" });
  expect(pages).toMatchObject([[{ id: "large" }], [{ id: "small" }]]);
});

/** Reads a first page. Returns its token and the request it was made for. */
async function firstPage() {
  const workspace = await service.workspace();
  await addActivities(workspace, names(3));
  const filters = { organizationId, documentId: SCOPE.documentId, pageSize: 1 };
  const { pageToken = "" } = await workspace.result(PATH, filters);
  return { workspace, filters, pageToken };
}

test("a pageToken can be used with another pageSize", async () => {
  const { workspace, filters, pageToken } = await firstPage();
  const { data } = await workspace.result(PATH, { ...filters, pageSize: 2, pageToken });
  expect(data).toMatchObject([{ id: "activity-2" }, { id: "activity-1" }]);
});

test("a pageToken can be used with the items of a list in another order", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, names(2));
  const filters = { organizationId, pageSize: 1, activityIds: ["activity-1", "activity-2"] };
  const { pageToken } = await workspace.result(PATH, filters);
  const activityIds = ["activity-2", "activity-1", "activity-2"];
  const { data } = await workspace.result(PATH, { ...filters, activityIds, pageToken });
  expect(data).toMatchObject([{ id: "activity-1" }]);
});

test("a pageToken is valid on a server that starts later", async () => {
  const { workspace, filters, pageToken } = await firstPage();
  const { address } = await service.secondProcess();
  const { data } = await workspace.at(address).result(PATH, { ...filters, pageToken });
  expect(data).toMatchObject([{ id: "activity-2" }]);
});

test("a pageToken continues at its position even if the record there was deleted", async () => {
  const { workspace, filters, pageToken } = await firstPage();
  await workspace.data("/v2/activities/delete", { organizationId, activityIds: ["activity-3"] });
  const { data } = await workspace.result(PATH, { ...filters, pageToken });
  expect(data).toMatchObject([{ id: "activity-2" }]);
});

test.each([
  ["changed at its beginning", (token: string) => `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`],
  ["changed at its end", (token: string) => `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`],
  ["cut short", (token: string) => token.slice(0, -4)],
  ["lengthened", (token: string) => `${token}AAAA`],
  ["padded", (token: string) => `${token}=`],
  ["modified by a space", (token: string) => `${token.slice(0, 5)} ${token.slice(5)}`],
  ["empty", () => ""],
  ["made up", () => Buffer.from("[0,0]").toString("base64url")],
])("a pageToken that is %s is INVALID_ARGUMENT", async (_title, changed) => {
  const { workspace, filters, pageToken } = await firstPage();
  const error = await workspace.error(PATH, { ...filters, pageToken: changed(pageToken) });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
});

test("a pageToken is valid for the same request with its defaults spelled out, and the other way around", async () => {
  const { workspace, filters, pageToken } = await firstPage();
  const [next] = await workspace.data(PATH, { ...filters, pageToken });
  expect(await workspace.data(PATH, { ...filters, order: "desc", pageToken })).toEqual([next]);
  const first = await workspace.result(PATH, { ...filters, order: "desc" });
  expect(await workspace.data(PATH, { ...filters, pageToken: first.pageToken })).toEqual([next]);
});

test.each([
  ["organization", { organizationId: "globex" }],
  ["document", { documentId: "contract-8" }],
  ["order", { order: "asc" }],
  ["user that was not set before", { userId: "ada" }],
  ["document that was set before", { documentId: undefined }],
])("a pageToken with another %s is INVALID_ARGUMENT", async (_title, other) => {
  const { workspace, filters, pageToken } = await firstPage();
  const error = await workspace.error(PATH, { ...filters, ...other, pageToken });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
});

test("the pageToken of another workspace is INVALID_ARGUMENT", async () => {
  const { filters, pageToken } = await firstPage();
  const error = await (await service.workspace()).error(PATH, { ...filters, pageToken });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
});

test("the pageToken of another operation is INVALID_ARGUMENT", async () => {
  const { workspace, filters } = await firstPage();
  const tokens = new PageTokens([Buffer.from(service.config.secretKey ?? "", "hex")]);
  const scope = { workspaceId: workspace.id, request: filters };
  const own = tokens.sign({ ...scope, path: PATH }, [9e15, 0]);
  const foreign = tokens.sign({ ...scope, path: "/v2/recordings/get" }, [9e15, 0]);
  expect(await workspace.data(PATH, { ...filters, pageToken: own })).toMatchObject([{ id: "activity-3" }]);
  expect(await workspace.error(PATH, { ...filters, pageToken: foreign })).toMatchObject({ status: "INVALID_ARGUMENT" });
});

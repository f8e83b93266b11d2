import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eventually } from "../../../test/eventually.ts";
import { activity, addActivities } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { callWith, getEditor, tokenFor } from "../../../test/user-tokens.ts";
import { deleteExpiredRows } from "../../database/expiry.ts";
import type { Api } from "../../operations.ts";
import { deleteExpiredRequests } from "./expiry.ts";
import { RequestRecorder } from "./recorder.ts";
import { deleteOldRequests, insertRequests, KEPT_REJECTED_REQUESTS, KEPT_REQUESTS } from "./request-log-queries.ts";

const PATH = "/v2/workspace/requests/get";
const ADD = "/v2/activities/add";
const service = await startTestService();

type Request = Api[typeof PATH]["request"];

/** Returns the logged requests except those of the log itself, when there are as many. */
function readLog(workspace: TestWorkspace, count: number, filters: Request = {}) {
  return eventually(async () => {
    const requests = (await workspace.data(PATH, filters)).filter(({ operation }) => operation !== PATH);
    expect(requests).toHaveLength(count);
    return requests;
  });
}

test("requests are logged with their outcome, duration and auth token, newest first, without bodies", async () => {
  const workspace = await service.workspace();
  const { authTokens } = await workspace.data("/v2/workspace/authtokens/get", {});
  await addActivities(workspace, [activity({ id: "secret-record" })]);
  const headers = { "x-request-id": "traced-7" };
  await workspace.call(ADD, { organizationId: "acme", activities: [{ id: "secret-record" }] }, headers);
  const [failed, succeeded] = await readLog(workspace, 3);
  const common = {
    ...{ operation: ADD, authTokenId: authTokens[0]?.id, timestamp: expect.any(Number) },
    clientAddress: expect.stringMatching(/127\.0\.0\.1$/),
  };
  expect(failed).toEqual({
    ...common,
    requestId: "traced-7",
    status: "INVALID_ARGUMENT",
    reason: "field_invalid",
    message: "data.documentId is required",
    organizationId: "acme",
    httpStatus: 400,
    durationMs: expect.any(Number),
  });
  const noError = { status: "OK", reason: null, message: null };
  expect(succeeded).toMatchObject({ ...common, ...noError, organizationId: "acme", httpStatus: 200 });
  const rows = await runSql<{ text: string }>(
    service.database,
    "select requests::text as text from request_log where workspace_id = $1",
    [workspace.id],
  );
  expect(rows.map(({ text }) => text).join()).not.toMatch(/secret|colloquy_token/);
});

test.each([
  ["the body \\0", "\0\0", "The body is not JSON"],
  ["a body that is not JSON", '{"data":{"smtpPassword":"hunter2""}}', "The body is not JSON"],
  ["the organization \\0", { organizationId: "\0" }, expect.stringContaining("data.documentId is required")],
  ["a lone surrogate", { organizationId: "\ud800", activities: [] }, expect.stringContaining("data.documentId")],
  ["a message to be cut at a pair", { [`${"x".repeat(492)}\u{1f600}`]: 1 }, expect.any(String)],
])("a request with %s is logged without its body, and leaves the log readable", async (_, body, message) => {
  const workspace = await service.workspace();
  await workspace.call(ADD, body);
  expect(await readLog(workspace, 1)).toMatchObject([{ operation: ADD, message, organizationId: null }]);
  const statistics = await workspace.data("/v2/workspace/requests/statistics/get", { operation: ADD });
  expect(statistics).toMatchObject({ requests: 1, errors: 1 });
});

test("requests with user tokens are logged without the user, and those with wrong user tokens are not", async () => {
  const workspace = await service.workspace();
  const token = await tokenFor(workspace, "ada-7f3k", { resources: [getEditor("acme")] });
  await callWith(token, `${service.address}/v2/activities/get`, { organizationId: "acme", documentId: "a" });
  await callWith("wrong", `${service.address}/v2/activities/get`, { organizationId: "acme", documentId: "a" });
  const requests = await readLog(workspace, 2);
  expect(requests[0]).toMatchObject({ operation: "/v2/activities/get", authTokenId: null });
  expect(JSON.stringify(requests)).not.toContain("ada-7f3k");
});

test("a repeated response with failed items is logged as the first one", async () => {
  const workspace = await service.workspace();
  const update = "/v2/activities/update";
  const headers = { "idempotency-key": "once" };
  const request = { organizationId: "acme", activities: [{ id: "missing", actionIcon: "x" }] };
  for (let count = 0; count < 2; count++) await workspace.call(update, request, headers);
  const logged = await readLog(workspace, 2, { operation: update });
  const failed = { status: "ITEMS_FAILED", message: "Activity not found.", httpStatus: 200 };
  expect(logged).toMatchObject([failed, failed]);
});

test("the deletion of a user's data removes the user from messages and unknown paths", async () => {
  const workspace = await service.workspace();
  const users = [{ userId: "ada-7f3k", email: "ada@person.example" }];
  await workspace.data("/v2/users/add", { organizationId: "acme", users });
  await workspace.call(ADD, { organizationId: "acme", "ada-7f3k": 1 });
  await workspace.call("/v2/users/ada-7f3k?x", {});
  await workspace.call("/v2/users/ada%40person.example", {});
  const logged = await readLog(workspace, 4);
  expect(JSON.stringify(logged)).toMatch(/ada-7f3k.*ada-7f3k/);
  await deleteUserDataAndWait(workspace, ["ada-7f3k"]);
  const left = (await workspace.data(PATH, {})).filter(({ requestId }) =>
    logged.some((request) => request.requestId === requestId),
  );
  expect(JSON.stringify(left)).not.toMatch(/ada-7f3k|person\.example/);
  expect(left).toMatchObject(logged.map(({ requestId, status, timestamp }) => ({ requestId, status, timestamp })));
});

test("the deletion of a user whose ID is the path of an operation keeps the operation in the log", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: ADD }] });
  await workspace.call(ADD, { organizationId: "acme", [ADD]: 1 });
  await workspace.call(`${ADD}/`, {});
  await readLog(workspace, 3);
  await deleteUserDataAndWait(workspace, [ADD]);
  const logged = await workspace.data(PATH, {});
  expect(logged.filter(({ operation }) => operation === ADD)).toHaveLength(1);
  expect(JSON.stringify(logged.map(({ operation, ...rest }) => (operation === ADD ? rest : operation)))).not.toContain(
    ADD,
  );
});

test("a request whose auth token lacks the scope is logged", async () => {
  const workspace = await service.workspace();
  const reader = { name: "reader", scopes: ["read" as const] };
  const { authToken } = await workspace.data("/v2/workspace/authtokens/add", reader);
  await workspace.call(ADD, {}, { "x-service-auth-token": authToken });
  const [rejected] = await readLog(workspace, 1, { operation: ADD });
  expect(rejected).toMatchObject({ status: "PERMISSION_DENIED", reason: "scope_missing", httpStatus: 403 });
});

test("requests are filtered by operation, status, request ID, auth token and time, and read in pages", async () => {
  const workspace = await service.workspace();
  for (let count = 0; count < 3; count++) await addActivities(workspace, ["a"]);
  await workspace.call(ADD, {}, { "x-request-id": "failed-1" });
  const all = await readLog(workspace, 4);
  const [newest, , , oldest] = all;
  if (!newest || !oldest) throw new Error("the log is empty");
  expect(await readLog(workspace, 3, { statuses: ["OK"], operation: ADD })).toEqual(all.slice(1));
  expect(await readLog(workspace, 1, { requestId: "failed-1" })).toEqual([newest]);
  expect(await readLog(workspace, 0, { authTokenId: randomUUID() })).toEqual([]);
  expect(await readLog(workspace, 0, { operation: ADD, to: oldest.timestamp })).toEqual([]);
  expect(await readLog(workspace, 4, { operation: ADD, from: oldest.timestamp })).toEqual(all);
  const { data, pageToken = "" } = await workspace.result(PATH, { operation: ADD, pageSize: 2 });
  const rest = await workspace.data(PATH, { operation: ADD, pageSize: 2, pageToken });
  expect([...data, ...rest]).toEqual(all);
  expect(await (await service.workspace()).data(PATH, { operation: ADD })).toEqual([]);
});

test("the newest 10,000 requests of a workspace are kept", async () => {
  const { id: workspaceId } = await service.workspace();
  const chunk = (count: number, isRejected = false) => ({ workspaceId, isRejected, count, requests: "[]" });
  const readCounts = async () => {
    const query = "select count from request_log where workspace_id = $1 order by sequence";
    return (await runSql<{ count: number }>(service.database, query, [workspaceId])).map(({ count }) => count);
  };
  for (const count of [1, KEPT_REQUESTS - 10, 5, 5]) await insertRequests(service.database, [chunk(count)]);
  await deleteOldRequests(service.database, [workspaceId]);
  expect(await readCounts()).toEqual([KEPT_REQUESTS - 10, 5, 5]);
  await insertRequests(service.database, [chunk(1)]);
  await deleteOldRequests(service.database, [workspaceId]);
  expect(await readCounts()).toEqual([KEPT_REQUESTS - 10, 5, 5, 1]);
  for (const count of [1, KEPT_REJECTED_REQUESTS - 1, 1]) {
    await insertRequests(service.database, [chunk(count, true)]);
  }
  await deleteOldRequests(service.database, [workspaceId]);
  expect(await readCounts()).toEqual([KEPT_REQUESTS - 10, 5, 5, 1, KEPT_REJECTED_REQUESTS - 1, 1]);
});

test("requests are deleted after the retention time", async () => {
  const { id: workspaceId } = await service.workspace();
  for (const requests of ['["old"]', '["new"]']) {
    await insertRequests(service.database, [{ workspaceId, isRejected: false, count: 1, requests }]);
  }
  const before = Date.now() - 30 * 24 * 3_600_000 - 1_000;
  const age = "update request_log set created_at = $2 where workspace_id = $1 and requests::text like '%old%'";
  await runSql(service.database, age, [workspaceId, before]);
  await deleteExpiredRows(deleteExpiredRequests(service.database, 30));
  const query = "select requests::text as text from request_log where workspace_id = $1";
  expect(await runSql(service.database, query, [workspaceId])).toEqual([{ text: '["new"]' }]);
});

test("a process holds at most twice as many requests as are kept", async () => {
  const recorder = new RequestRecorder();
  const request = {
    ...({ timestamp: 1, operation: ADD, status: "OK", reason: null, message: null, httpStatus: 200 } as const),
    ...{ durationMs: 1, organizationId: null, clientAddress: "203.0.113.7" },
  };
  const total = 2 * KEPT_REQUESTS + 5;
  for (let number = 0; number < total; number++) {
    recorder.record("workspace", { ...request, requestId: `${number}`, authTokenId: null });
  }
  const flushed: { count: number; requests: string }[] = [];
  await recorder.flush(async (chunks) => void flushed.push(...chunks));
  const [chunk] = flushed;
  expect(chunk?.count).toBe(KEPT_REQUESTS);
  expect(JSON.parse(chunk?.requests ?? "[]").at(-1)).toMatchObject({ requestId: `${total - 1}` });
  await recorder.flush(async () => expect.unreachable("there is nothing to write"));
});

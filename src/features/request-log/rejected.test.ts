import { expect, test } from "vitest";
import { eventually } from "../../../test/eventually.ts";
import { activity, addActivities } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/workspace/requests/get";
const ADD = "/v2/activities/add";
const service = await startOwnTestService(() => ({ trustProxy: "127.0.0.1" }));
const from = (address: string) => ({ "x-forwarded-for": address });

type Request = Api[typeof PATH]["request"];

/** Returns the logged requests with an operation, when there are as many. */
function readLog(workspace: TestWorkspace, count: number, filters: Request) {
  return eventually(async () => {
    const requests = await workspace.data(PATH, filters);
    expect(requests).toHaveLength(count);
    return requests;
  });
}

test("wrong, revoked and expired tokens are logged with address and message, and with the ID if known", async () => {
  const workspace = await service.workspace();
  const { id: tokenId, authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "leaked" });
  const expiring = await workspace.data("/v2/workspace/authtokens/add", {
    name: "short",
    expiresAt: Date.now() + 60_000,
  });
  await workspace.data("/v2/workspace/authtokens/delete", { tokenIds: [tokenId] });
  const expire = "update auth_tokens set expires_at = now() - interval '1 second' where id = $1";
  await runSql(service.database, expire, [expiring.id]);
  for (const token of [authToken, expiring.authToken, "wrong"]) {
    const headers = { "x-service-auth-token": token, ...from("203.0.113.7") };
    expect(await workspace.call(ADD, {}, headers)).toMatchObject({ httpStatus: 403 });
  }
  const logged = await readLog(workspace, 3, { operation: ADD });
  const common = { status: "PERMISSION_DENIED", httpStatus: 403, clientAddress: "203.0.113.7", organizationId: null };
  const message = "The auth token is invalid, revoked or not of this workspace.";
  expect(logged).toMatchObject([
    { ...common, reason: "auth_token_invalid", message, authTokenId: null },
    { ...common, reason: "auth_token_expired", message: expect.stringContaining("expired"), authTokenId: expiring.id },
    { ...common, reason: "auth_token_invalid", message, authTokenId: tokenId },
  ]);
  expect(await readLog(workspace, 1, { authTokenId: tokenId })).toEqual(logged.slice(2));
});

test("a token of another workspace is logged in the workspace of the API key, without its ID", async () => {
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  await workspace.call(ADD, {}, { "x-service-auth-token": other.authToken });
  expect(await readLog(workspace, 1, { operation: ADD })).toMatchObject([{ authTokenId: null }]);
  expect(await other.data(PATH, { operation: ADD })).toEqual([]);
});

test("unknown paths and wrong methods of callers with right credentials are logged", async () => {
  const workspace = await service.workspace();
  const headers = { "x-service-api-key": workspace.apiKey, "x-service-auth-token": workspace.authToken };
  await fetch(`${service.address}/v2/activites/add?secret=1`, { method: "POST", headers });
  await fetch(`${service.address}${ADD}`, { headers });
  await fetch(`${service.address}/v2/by-a-stranger`, { headers: { ...headers, "x-service-auth-token": "wrong" } });
  const unknown = await readLog(workspace, 1, { operation: "/v2/activites/add" });
  expect(unknown).toMatchObject([
    { status: "NOT_FOUND", httpStatus: 404, message: expect.stringContaining("Did you mean /v2/activities/add?") },
  ]);
  expect(await readLog(workspace, 1, { operation: ADD })).toMatchObject([{ httpStatus: 405 }]);
  expect(await workspace.data(PATH, { operation: "/v2/by-a-stranger" })).toEqual([]);
});

test("an address fills the log with ten rejected requests, and other addresses with sixty", async () => {
  const workspace = await service.workspace();
  const reject = (address: string) => workspace.call(ADD, {}, { "x-service-auth-token": "wrong", ...from(address) });
  for (let count = 0; count < 12; count++) await reject("203.0.113.9");
  for (let client = 1; client <= 70; client++) await reject(`198.51.100.${client}`);
  await addActivities(workspace, ["kept"]);
  await readLog(workspace, 1, { statuses: ["OK"], operation: ADD });
  const logged = await workspace.data(PATH, { statuses: ["PERMISSION_DENIED"] });
  expect(logged.filter(({ clientAddress }) => clientAddress === "203.0.113.9")).toHaveLength(10);
  expect(logged.length).toBeGreaterThanOrEqual(60);
  expect(logged.length).toBeLessThan(75);
});

test("a response of which every item failed is not OK, and one with a failed item says so", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [activity({ id: "a" })]);
  const UPDATE = "/v2/activities/update";
  const update = (...ids: string[]) =>
    workspace.data(UPDATE, { organizationId: "acme", activities: ids.map((id) => ({ id })) });
  await update("a");
  await update("a", "missing");
  await update("missing");
  const logged = await readLog(workspace, 3, { operation: UPDATE });
  expect(logged.map(({ status, httpStatus }) => [status, httpStatus])).toEqual([
    ["ITEMS_FAILED", 200],
    ["OK", 200],
    ["OK", 200],
  ]);
  const [every, one, none] = logged.map(({ message }) => message);
  expect(none).toBe(null);
  expect(one).toBe(`1 of 2 items failed: ${every}`);
  expect(every).toMatch(/^[A-Z].*\.$/);
});

test("statistics count the requests and errors, in all and by interval, with their durations", async () => {
  const workspace = await service.workspace();
  for (let count = 0; count < 3; count++) await addActivities(workspace, ["a"]);
  await workspace.call(ADD, {});
  await readLog(workspace, 4, { operation: ADD });
  const statistics = await workspace.data("/v2/workspace/requests/statistics/get", { operation: ADD });
  expect(statistics).toMatchObject({ requests: 4, errors: 1 });
  expect(statistics.medianMs).toBeGreaterThan(0);
  expect(statistics.p95Ms).toBeGreaterThanOrEqual(statistics.medianMs ?? 0);
  expect(statistics.intervals).toHaveLength(30);
  const sum = (name: "requests" | "errors") => statistics.intervals.reduce((all, interval) => all + interval[name], 0);
  expect([sum("requests"), sum("errors")]).toEqual([4, 1]);
  const [first] = await workspace.data(PATH, { operation: ADD });
  const period = { from: (first?.timestamp ?? 0) - 3_600_000, to: (first?.timestamp ?? 0) + 1 };
  const inPeriod = await workspace.data("/v2/workspace/requests/statistics/get", { operation: ADD, ...period });
  expect(inPeriod.intervals.at(-1)).toMatchObject({ requests: 4, errors: 1, endsAt: period.to });
  expect(await workspace.data("/v2/workspace/requests/statistics/get", { operation: "/v2/none" })).toEqual({
    ...{ requests: 0, errors: 0, medianMs: null, p95Ms: null, intervals: [], limits: [] },
  });
});

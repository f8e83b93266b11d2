import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { activity, addActivities, readActivityIds, SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { callWith, getEditor, tokenFor } from "../../../test/user-tokens.ts";
import { deleteExpiredKeys } from "./idempotency-queries.ts";

const service = await startTestService();
const ADD = "/v2/activities/add";
const DAY_MS = 24 * 60 * 60 * 1000;

/** Adds an activity, whose ID the service makes, under an Idempotency-Key. */
function addOnce(workspace: TestWorkspace, key: string, entityData: unknown = "signed") {
  return workspace.call(ADD, { ...SCOPE, activities: [activity({ entityData })] }, { "idempotency-key": key });
}

async function countActivities(workspace: TestWorkspace): Promise<number> {
  return (await readActivityIds(workspace)).length;
}

/** Makes the rows of a workspace's keys older, or changes them in another way. */
function changeKeys({ id }: TestWorkspace, change: string): Promise<unknown> {
  return runSql(service.database, `update idempotency_keys set ${change} where workspace_id = $1`, [id]);
}

test("a request that is repeated with its key is carried out once and gets the same response", async () => {
  const workspace = await service.workspace();
  const [first, second] = [await addOnce(workspace, "order-4711"), await addOnce(workspace, "order-4711")];
  expect(first).toMatchObject({ httpStatus: 200, body: { result: { status: "success" } } });
  expect(second.body).toEqual(first.body);
  expect([first, second].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  expect(await countActivities(workspace)).toBe(1);
  await addOnce(workspace, "order-4712");
  expect(await countActivities(workspace)).toBe(2);
});

test("requests that arrive at once on two processes are carried out once", async () => {
  const workspace = await service.workspace();
  const other = workspace.at((await service.secondProcess()).address);
  const calls = Array.from({ length: 10 }, (_, number) => addOnce(number % 2 ? other : workspace, "at-once"));
  const responses = await Promise.all(calls);
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await countActivities(workspace)).toBe(1);
});

test("a key that is sent with another body or to another operation is ALREADY_EXISTS", async () => {
  const workspace = await service.workspace();
  await addOnce(workspace, "reused");
  const reused = { httpStatus: 409, body: { error: { details: { reason: "idempotency_key_reused" } } } };
  expect(await addOnce(workspace, "reused", "refused")).toMatchObject(reused);
  const deletion = { organizationId: "acme", activityIds: await readActivityIds(workspace) };
  expect(await workspace.call("/v2/activities/delete", deletion, { "idempotency-key": "reused" })).toMatchObject(
    reused,
  );
  expect(await countActivities(workspace)).toBe(1);
});

test("a key belongs to its workspace and user", async () => {
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  const commentData = [{ commentText: "Agreed.", from: { userId: "linus" } }];
  const annotation = {
    organizationId: "acme",
    documentId: "d",
    commentAnnotations: [{ annotationId: "a", commentData }],
  };
  await workspace.data("/v2/commentannotations/add", annotation);
  await Promise.all([addOnce(workspace, "same"), addOnce(other, "same")]);
  expect([await countActivities(workspace), await countActivities(other)]).toEqual([1, 1]);
  const comment = {
    organizationId: "acme",
    documentId: "d",
    annotationId: "a",
    commentData: [{ commentText: "Yes." }],
  };
  const url = `${service.address}/v2/commentannotations/comments/add`;
  const tokens = ["ada", "grace"].map((userId) => tokenFor(workspace, userId, { resources: [getEditor("acme")] }));
  for (const token of await Promise.all(tokens)) {
    for (const _ of ["first", "repeated"]) {
      const { httpStatus } = await callWith(token, url, comment, { "idempotency-key": "same" });
      expect(httpStatus).toBe(200);
    }
  }
  const thread = { organizationId: "acme", documentId: "d", annotationId: "a" };
  const comments = await workspace.data("/v2/commentannotations/comments/get", thread);
  expect(comments).toMatchObject(["linus", "ada", "grace"].map((userId) => ({ from: { userId } })));
});

test("a request that fails has not used its key", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const failed = await addOnce(workspace, "retried");
  expect(failed).toMatchObject({ body: { error: { details: { reason: "activity_service_disabled" } } } });
  await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { isEnabled: true } });
  expect(await addOnce(workspace, "retried")).toMatchObject({ httpStatus: 200 });
  expect(await countActivities(workspace)).toBe(1);
});

test("a failure that keeps its changes keeps them, and is carried out again with its key", async () => {
  const workspace = await service.workspace();
  const domains = ["known.example.com", "new.example.com"];
  await workspace.data("/v2/workspace/domains/add", { domains: domains.slice(0, 1) });
  const add = () => workspace.call("/v2/workspace/domains/add", { domains }, { "idempotency-key": "partly" });
  const failures = [await add(), await add()].map(({ httpStatus, body }) => ({ httpStatus, body }));
  const getDetails = (added: string[], skipped: string[]) => ({
    httpStatus: 409,
    body: { error: { details: { domainsAdded: added, skippedDomains: skipped } } },
  });
  expect(failures).toMatchObject([getDetails(domains.slice(1), domains.slice(0, 1)), getDetails([], domains)]);
});

test("settings that were changed with a key apply to the next request", async () => {
  const workspace = await service.workspace();
  for (const isEnabled of [false, true, false]) {
    const config = { activityServiceConfig: { isEnabled } };
    await workspace.call("/v2/workspace/activityconfig/update", config, { "idempotency-key": randomUUID() });
    expect((await addOnce(workspace, randomUUID())).httpStatus).toBe(isEnabled ? 200 : 400);
  }
});

test("a repeated request gets the same response if the settings would reject it by now", async () => {
  const workspace = await service.workspace();
  const first = await addOnce(workspace, "before");
  await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { isEnabled: false } });
  const second = await addOnce(workspace, "before");
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
});

test("a response is encrypted, and kept for 24 hours", async () => {
  const workspace = await service.workspace();
  await addOnce(workspace, "kept");
  const rows = () =>
    runSql<{ response: Buffer }>(service.database, "select response from idempotency_keys where workspace_id = $1", [
      workspace.id,
    ]);
  expect((await rows()).map(({ response }) => response.includes("success"))).toEqual([false]);
  await changeKeys(workspace, `created_at = created_at - ${DAY_MS - 60_000}`);
  expect((await addOnce(workspace, "kept")).headers.get("idempotent-replayed")).toBe("true");
  await changeKeys(workspace, "created_at = created_at - 60001");
  expect(await addOnce(workspace, "kept", "another request")).toMatchObject({ httpStatus: 200 });
  await changeKeys(workspace, `created_at = created_at - ${DAY_MS + 1}`);
  expect(await deleteExpiredKeys(service.database, 1_000)).toBeGreaterThanOrEqual(1);
  expect(await rows()).toEqual([]);
});

test("a kept response that cannot be decrypted is FAILED_PRECONDITION, and nothing is done again", async () => {
  const workspace = await service.workspace();
  await addOnce(workspace, "unreadable");
  await changeKeys(workspace, "response = overlay(response placing decode('00', 'hex') from 1 for 2)");
  expect(await addOnce(workspace, "unreadable")).toMatchObject({
    httpStatus: 400,
    body: { error: { details: { reason: "secret_unreadable" } } },
  });
  expect(await countActivities(workspace)).toBe(1);
});

test.each(["", "two words", "ä", "x".repeat(256)])(
  "the key %j is INVALID_ARGUMENT, and nothing is done",
  async (key) => {
    const workspace = await service.workspace();
    const bytes = Buffer.from(key).toString("latin1");
    expect(await addOnce(workspace, bytes)).toMatchObject({
      httpStatus: 400,
      body: { error: { details: { reason: "idempotency_key_invalid" } } },
    });
    expect(await countActivities(workspace)).toBe(0);
  },
);

test("reads ignore the header, and a caller with wrong credentials gets no kept response", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "a" }]);
  const read = () => workspace.call("/v2/activities/get", { organizationId: "acme" }, { "idempotency-key": "read" });
  await read();
  await addActivities(workspace, [{ id: "b" }]);
  expect(Object((await read()).body).result.data).toHaveLength(2);
  await addOnce(workspace, "known");
  const wrong = { "idempotency-key": "known", "x-service-auth-token": "wrong" };
  const given = { ...SCOPE, activities: [activity({ entityData: "signed" })] };
  expect(await workspace.call(ADD, given, wrong)).toMatchObject({ httpStatus: 403 });
});

import { expect, test } from "vitest";
import { addContent } from "../crdt.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { openSyncedPage, type as typeInto } from "../sync.ts";
import { deleteUserDataAndWait } from "../user-data.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

const ADD = "/v2/commentannotations/add";
const BURST = 5;
/** Refills nothing during the tests. */
const service = await startOwnTestService(() => ({ userWritesPerSecond: 0.001, userWriteBurst: BURST }));
const COMMENT = { commentText: "one" };
const THREAD = { ...SCOPE, commentAnnotations: [{ commentData: [COMMENT] }] };
const LIMITED = {
  httpStatus: 429,
  body: { error: { status: "RESOURCE_EXHAUSTED", details: { reason: "rate_limited", limit: "user_writes" } } },
};

/** Returns a workspace with the document of the threads. */
async function workspaceWithDocument(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const { organizationId, documentId } = SCOPE;
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  return workspace;
}

/** Adds a thread as a backend. */
function addByBackend(workspace: TestWorkspace) {
  const commentData = [{ ...COMMENT, from: { userId: "ada" } }];
  return workspace.data(ADD, { ...SCOPE, commentAnnotations: [{ commentData }] });
}

/** Returns a function that adds threads as a user, and resolves with the HTTP codes. */
async function writerIn(workspace: TestWorkspace, userId: string, path: string = ADD) {
  const token = await tokenFor(workspace, userId);
  return async (count: number): Promise<number[]> => {
    const calls = Array.from({ length: count }, () => callWith(token, `${service.address}${path}`, THREAD));
    return (await Promise.all(calls)).map(({ httpStatus }) => httpStatus).sort();
  };
}

const codes = (succeeded: number, rejected: number) => [...Array(succeeded).fill(200), ...Array(rejected).fill(429)];

test("a user who has written a burst is rejected, with headers that say when to retry, by every path", async () => {
  const workspace = await workspaceWithDocument();
  const token = await tokenFor(workspace, "ada");
  const call = (path: string) => callWith(token, `${service.address}${path}`, THREAD);
  for (let left = BURST - 1; left >= 0; left--) {
    const { httpStatus, headers } = await call("/v1/commentannotations/add");
    expect([httpStatus, headers.get("ratelimit-remaining")]).toEqual([200, `${left}`]);
  }
  const rejected = await call(ADD);
  expect(rejected).toMatchObject(LIMITED);
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(rejected.headers.get("ratelimit-limit")).toBe(`${BURST}`);
  expect(rejected.headers.get("ratelimit-remaining")).toBe("0");
  expect(Number(rejected.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
});

test("users of four workspaces with the same IDs have bursts of their own, and backends write on", async () => {
  const workspaces = await Promise.all(Array.from({ length: 4 }, workspaceWithDocument));
  const writers = await Promise.all(
    workspaces.flatMap((workspace) => ["ada", "grace"].map((userId) => writerIn(workspace, userId))),
  );
  const written = await Promise.all(writers.map((write) => write(2 * BURST)));
  expect(written).toEqual(writers.map(() => codes(BURST, BURST)));
  for (const workspace of workspaces) {
    await Promise.all(Array.from({ length: 2 * BURST }, () => addByBackend(workspace)));
    expect(await workspace.data("/v2/commentannotations/get", SCOPE)).toHaveLength(4 * BURST);
  }
});

test("each kind of write has its own burst, and reads, streams and editors have none", async () => {
  const workspace = await workspaceWithDocument();
  await addContent(workspace, { type: "text", data: "one" });
  const token = await tokenFor(workspace, "ada");
  expect(await (await writerIn(workspace, "ada"))(BURST + 1)).toEqual(codes(BURST, 1));
  const call = async (path: string, data: object) =>
    (await callWith(token, `${service.address}${path}`, data)).httpStatus;
  expect(await call("/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: "slide", data: {} })).toBe(200);
  expect(await call("/v2/presence/add", { ...SCOPE, users: [{}] })).toBe(200);
  for (let count = 0; count < 2 * BURST; count++) expect(await call("/v2/commentannotations/get", SCOPE)).toBe(200);
  const aborting = new AbortController();
  const stream = await fetch(`${service.address}/v2/events/stream?${new URLSearchParams(SCOPE)}`, {
    ...{ headers: { authorization: `Bearer ${token}` }, signal: aborting.signal },
  });
  expect(stream.status).toBe(200);
  aborting.abort();
  const page = await openSyncedPage(service.address, { token });
  for (let count = 0; count < 2 * BURST; count++) typeInto(page, "two", 0);
  await page.saved();
});

test("a request counts the records that it adds", async () => {
  const workspace = await workspaceWithDocument();
  const token = await tokenFor(workspace, "ada");
  const url = `${service.address}${ADD}`;
  const threads = { ...SCOPE, commentAnnotations: [{ commentData: [COMMENT, COMMENT] }, { comments: [COMMENT] }] };
  expect((await callWith(token, url, threads)).headers.get("ratelimit-remaining")).toBe("4");
  // The headers of the first response do not know its body yet.
  expect((await callWith(token, url, THREAD)).headers.get("ratelimit-remaining")).toBe("1");
  expect(await callWith(token, url, threads)).toMatchObject({ httpStatus: 200 });
  expect(await callWith(token, url, THREAD)).toMatchObject(LIMITED);
});

test("an update counts the annotations and comments that it changes, however they were selected", async () => {
  const workspace = await workspaceWithDocument();
  const THREADS = Array.from({ length: BURST }, (_, index) => ({
    annotationId: `thread-${index}`,
    commentData: [1, 2].map((commentId) => ({ commentId, from: { userId: "ada" } })),
  }));
  await workspace.data(ADD, { ...SCOPE, commentAnnotations: THREADS });
  const resources = [{ type: "organization" as const, id: SCOPE.organizationId, accessRole: "moderator" as const }];
  const update = async (userId: string, path: string, data: object) => {
    const token = await tokenFor(workspace, userId, { resources });
    return callWith(token, `${service.address}${path}`, { ...SCOPE, triggerNotification: true, ...data });
  };
  const all = { updatedData: { assignedTo: { userId: "grace" } } };
  expect(await update("mia", "/v2/commentannotations/update", all)).toMatchObject({ httpStatus: 200 });
  expect(await update("mia", "/v2/commentannotations/update", all)).toMatchObject(LIMITED);

  const two = { annotationId: "thread-0", commentIds: [1, 2, 3], updatedData: { commentText: "two" } };
  const left = () => update("max", "/v2/commentannotations/comments/update", two);
  expect((await left()).headers.get("ratelimit-remaining")).toBe(`${BURST - 1}`);
  expect((await left()).headers.get("ratelimit-remaining")).toBe(`${BURST - 3}`);
});

test("a rejected request with an Idempotency-Key is carried out once when it is sent again", async () => {
  const workspace = await workspaceWithDocument();
  await (await writerIn(workspace, "ada"))(BURST);
  const token = await tokenFor(workspace, "ada");
  // A second process that has no part of the counts stands for a later time.
  const later = await service.secondProcess();
  const send = (address: string) => callWith(token, `${address}${ADD}`, THREAD, { "idempotency-key": "once" });
  expect(await send(service.address)).toMatchObject(LIMITED);
  expect(await send(later.address)).toMatchObject({ httpStatus: 200 });
  const repeated = await send(later.address);
  expect([repeated.httpStatus, repeated.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(await workspace.data("/v2/commentannotations/get", SCOPE)).toHaveLength(BURST + 1);
});

test("a user may mention 50 others in a comment and add 20 comments, a backend more", async () => {
  const workspace = await workspaceWithDocument();
  const mention = (count: number) => Array.from({ length: count }, (_, index) => ({ userId: `user-${index}` }));
  const thread = (mentions: number, comments = 1) => ({
    ...SCOPE,
    commentAnnotations: [{ commentData: Array(comments).fill({ taggedUserContacts: mention(mentions) }) }],
  });
  let users = 0;
  const call = async (data: object) => {
    return callWith(await tokenFor(workspace, `author-${++users}`), `${service.address}${ADD}`, data);
  };
  expect(await call(thread(50))).toMatchObject({ httpStatus: 200 });
  const tooMany = { httpStatus: 400, body: { error: { details: { reason: "field_invalid" } } } };
  expect(await call(thread(51))).toMatchObject(tooMany);
  expect(await call(thread(0, 21))).toMatchObject(tooMany);
  expect(await call({ ...SCOPE, commentAnnotations: Array(21).fill({ commentData: [COMMENT] }) })).toMatchObject(
    tooMany,
  );
  const [{ commentData } = expect.fail()] = thread(1_000).commentAnnotations;
  const byBackend = commentData.map((comment) => ({ ...comment, from: { userId: "ada" } }));
  await workspace.data(ADD, { ...SCOPE, commentAnnotations: [{ commentData: byBackend }] });
});

test("metrics count who reaches a limit, and the request log names the user until its data is deleted", async () => {
  const workspace = await workspaceWithDocument();
  await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "ada-7f3k" }] });
  await (await writerIn(workspace, "ada-7f3k"))(BURST + 3);
  await (await writerIn(workspace, "grace"))(BURST + 1);
  const metrics = await (await fetch(`${service.address}/metrics`)).text();
  const counted = /^colloquy_limit_rejections_total\{limit="user_writes"\} (\d+)$/m.exec(metrics)?.[1];
  expect(Number(counted)).toBeGreaterThanOrEqual(4);
  const readLimits = async () => (await workspace.data("/v2/workspace/requests/statistics/get", {})).limits;
  const entry = (userId: string, requests: number) => ({
    ...{ limit: "user_writes", userId, authTokenId: null, requests, lastAt: expect.any(Number) },
  });
  await eventually(async () => expect(await readLimits()).toEqual([entry("ada-7f3k", 3), entry("grace", 1)]));
  await deleteUserDataAndWait(workspace, ["ada-7f3k"]);
  expect(JSON.stringify(await workspace.data("/v2/workspace/requests/get", {}))).not.toContain("ada-7f3k");
});

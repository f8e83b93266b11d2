import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../test/canonical-json.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const BROADCAST = "/v2/livestate/broadcast";
const GET = "/v2/livestate/get";
const STATE = { ...SCOPE, liveStateDataId: "review" };
type Request = Api[typeof BROADCAST]["request"];

const service = await startOwnTestService();
const second = await service.secondProcess();

function broadcast(workspace: TestWorkspace, fields: Partial<Request>) {
  return workspace.data(BROADCAST, { ...STATE, data: {}, ...fields });
}

/** Reads the states of the document by ID. */
async function readStates(workspace: TestWorkspace, scope = SCOPE): Promise<Record<string, unknown>> {
  const states = await workspace.data(GET, scope);
  return Object.fromEntries(states.map(({ liveStateDataId, data }) => [liveStateDataId, data]));
}

test("a state is kept with the time of its broadcast until the next one replaces it", async () => {
  const workspace = await service.workspace();
  const before = Date.now();
  expect(await broadcast(workspace, { data: { clause: 3, presenter: "ada" } })).toEqual({ success: true });
  const [state, ...others] = await workspace.data(GET, SCOPE);
  expect(state).toEqual({
    liveStateDataId: "review",
    data: { clause: 3, presenter: "ada" },
    lastUpdated: expect.any(Number),
  });
  expect(state?.lastUpdated).toBeGreaterThanOrEqual(before);
  expect(state?.lastUpdated).toBeLessThanOrEqual(Date.now());
  expect(others).toEqual([]);
  await broadcast(workspace, { data: { zoom: 2 } });
  expect(await readStates(workspace)).toEqual({ review: { zoom: 2 } });
});

test("a merge replaces the fields that it has as a whole, and keeps the others", async () => {
  const workspace = await service.workspace();
  await broadcast(workspace, { data: { a: { x: 1, y: 2 }, b: [1, 2], c: "kept" } });
  await broadcast(workspace, { data: { a: { z: 3 }, b: null, d: 0 }, merge: true });
  expect(await readStates(workspace)).toEqual({ review: { a: { z: 3 }, b: null, c: "kept", d: 0 } });
});

test("a merge into a missing state creates it with its organization and document", async () => {
  const workspace = await service.workspace();
  await broadcast(workspace, { data: { a: 1 }, merge: true });
  expect(await readStates(workspace)).toEqual({ review: { a: 1 } });
  const { organizationId } = SCOPE;
  expect(await workspace.data("/v2/organizations/documents/get", { organizationId })).toMatchObject([
    { id: SCOPE.documentId },
  ]);
});

test("a broadcast creates its organization and document", async () => {
  const workspace = await service.workspace();
  await broadcast(workspace, { data: { a: 1 } });
  const { organizationId } = SCOPE;
  expect(await workspace.data("/v2/organizations/documents/get", { organizationId })).toMatchObject([
    { id: SCOPE.documentId },
  ]);
});

test("concurrent merges at two processes lose no field", async () => {
  const workspace = await service.workspace();
  const callers = [workspace, workspace.at(second.address)];
  const names = Array.from({ length: 24 }, (_, index) => `field-${index}`);
  await Promise.all(
    names.map((name, index) => broadcast(callers[index % 2] ?? workspace, { data: { [name]: index }, merge: true })),
  );
  expect(await readStates(workspace)).toEqual({
    review: Object.fromEntries(names.map((name, index) => [name, index])),
  });
});

test("concurrent broadcasts and merges of many states of a document all succeed", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 8 }, (_, index) => `state-${index}`);
  const calls = [...ids, ...ids.toReversed(), ...ids].map((liveStateDataId, index) =>
    broadcast(workspace, { liveStateDataId, data: { last: liveStateDataId }, merge: index % 2 === 0 }),
  );
  expect(await Promise.all(calls)).toEqual(calls.map(() => ({ success: true })));
  expect(await readStates(workspace)).toEqual(Object.fromEntries(ids.map((id) => [id, { last: id }])));
});

test.each([BROADCAST, "/v1/livestate/broadcast"])("%s takes the fields at the top level of the body", async (path) => {
  const workspace = await service.workspace();
  const bare = { ...STATE, data: { status: "active", organizationId: "kept" } };
  const responses = [
    await workspace.call(path, JSON.stringify(bare)),
    await workspace.call(path, JSON.stringify({ ...bare, data: { more: true }, merge: true })),
  ];
  for (const { body } of responses) {
    expect(body).toEqual({ result: { status: "success", message: expect.any(String), data: { success: true } } });
  }
  expect(await readStates(workspace)).toEqual({
    review: { status: "active", organizationId: "kept", more: true },
  });
});

test.each([
  [{ ...STATE, data: {}, merged: true }, "data.merged is not a field of this operation. Did you mean merge?"],
  [{ organizationId: "acme", data: { ...STATE, data: {} } }, "data.documentId is required"],
  [{ documentId: "d", data: { ...STATE, data: {} } }, "documentId is not a field of the body."],
])("the body %j is INVALID_ARGUMENT", async (body, message) => {
  const workspace = await service.workspace();
  const response = await workspace.call(BROADCAST, JSON.stringify(body));
  expect(response).toMatchObject({ httpStatus: 400, body: { error: { message: expect.stringContaining(message) } } });
});

test("other operations reject fields at the top level of the body", async () => {
  const workspace = await service.workspace();
  const { httpStatus, body } = await workspace.call(GET, JSON.stringify(SCOPE));
  expect(httpStatus).toBe(400);
  expect(body).toMatchObject({ error: { message: expect.stringContaining("All fields belong in data") } });
});

test("any JSON object is returned unchanged, also when it is merged", async () => {
  const workspace = await service.workspace();
  const odd = '{"__proto__":{"x":[null]},"constructor":1,"":{"\\u0000":"\\u0000"},"s":"\\ud800","n":1e21}';
  const data: Record<string, unknown> = JSON.parse(odd);
  await broadcast(workspace, { data });
  expect(canonicalJson((await readStates(workspace)).review)).toBe(canonicalJson(data));
  await broadcast(workspace, { liveStateDataId: "merged", data, merge: true });
  expect(canonicalJson((await readStates(workspace)).merged)).toBe(canonicalJson(data));
});

describe("the limit of 64 KiB as JSON text", () => {
  test("accepts 65,536 bytes and rejects more", async () => {
    const workspace = await service.workspace();
    const largest = { text: `x${"é".repeat(32_762)}` };
    expect(Buffer.byteLength(JSON.stringify(largest))).toBe(64 * 1024);
    await broadcast(workspace, { data: largest });
    const error = await workspace.error(BROADCAST, { ...STATE, data: { text: `${largest.text}x` } });
    expect(error).toMatchObject({ httpStatus: 400, message: "data.data must be at most 64 KiB as JSON text" });
    expect(await readStates(workspace)).toEqual({ review: largest });
  });

  test("holds for the merged state, which then stays unchanged", async () => {
    const workspace = await service.workspace();
    await broadcast(workspace, { data: { a: "x".repeat(40_000) } });
    const error = await workspace.error(BROADCAST, { ...STATE, data: { b: "y".repeat(40_000) }, merge: true });
    expect(error).toMatchObject({ status: "FAILED_PRECONDITION", details: { reason: "limit_reached" } });
    expect(await readStates(workspace)).toEqual({ review: { a: "x".repeat(40_000) } });
  });
});

test("states are separate by ID, document, organization and workspace", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await broadcast(mine, { data: { here: 1 } });
  await broadcast(mine, { data: { here: 2 }, documentId: "other" });
  await broadcast(mine, { data: { here: 3 }, organizationId: "globex" });
  await broadcast(theirs, { data: { here: 4 } });
  expect(await readStates(mine)).toEqual({ review: { here: 1 } });
  expect(await readStates(mine, { ...SCOPE, documentId: "other" })).toEqual({ review: { here: 2 } });
  expect(await readStates(mine, { ...SCOPE, organizationId: "globex" })).toEqual({ review: { here: 3 } });
  expect(await readStates(theirs)).toEqual({ review: { here: 4 } });
});

test("a merge into a state that was deleted with its document starts from an empty one", async () => {
  const workspace = await service.workspace();
  await broadcast(workspace, { data: { deleted: true } });
  // Deleting a small document purges its rows at once; those of a large one wait like this one.
  await runSql(service.database, "insert into document_purges values ($1, $2, $3)", [
    organizationKey(workspace.id, SCOPE.organizationId),
    SCOPE.documentId,
    Date.now(),
  ]);
  await broadcast(workspace, { data: { fresh: true }, merge: true });
  expect(await readStates(workspace)).toEqual({ review: { fresh: true } });
});

test("deleting a document deletes its live states", async () => {
  const workspace = await service.workspace();
  await broadcast(workspace, { data: { a: 1 } });
  const { organizationId, documentId } = SCOPE;
  await workspace.data("/v2/organizations/documents/delete", { organizationId, documentIds: [documentId] });
  expect(await readStates(workspace)).toEqual({});
});

test("deleting a user's data takes their ID and address out of live states, and keeps the rest", async () => {
  const workspace = await service.workspace();
  const users = [{ userId: "user-4711", email: "ada@example.com" }];
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  await broadcast(workspace, { data: { presenter: "user-4711", contact: "ada@example.com", clause: 3 } });
  await deleteUserDataAndWait(workspace, ["user-4711"]);
  expect(await readStates(workspace)).toEqual({ review: { clause: 3 } });
});

test.each([
  ["document", "/v2/organizations/documents/access/disablestate/update", { documentIds: [SCOPE.documentId] }],
  ["organization", "/v2/organizations/access/disablestate/update", { organizationIds: [SCOPE.organizationId] }],
] as const)("a disabled %s rejects broadcasts, merges and reads, and keeps its states", async (what, path, target) => {
  const workspace = await service.workspace();
  await broadcast(workspace, { data: { a: 1 } });
  const scope = what === "document" ? { organizationId: SCOPE.organizationId } : {};
  await workspace.uncheckedResult(path, { ...scope, ...target, disabled: true });
  for (const [operation, request] of [
    [BROADCAST, { ...STATE, data: {} }],
    [BROADCAST, { ...STATE, data: {}, merge: true }],
    [GET, SCOPE],
  ] as const) {
    expect(await workspace.error(operation, request)).toMatchObject({
      status: "PERMISSION_DENIED",
      details: { reason: `${what}_disabled` },
    });
  }
  await workspace.uncheckedResult(path, { ...scope, ...target, disabled: false });
  expect(await readStates(workspace)).toEqual({ review: { a: 1 } });
});

test("a user needs the role editor to broadcast, and viewer to read", async () => {
  const workspace = await service.workspace();
  await broadcast(workspace, { data: { a: 1 } });
  const getToken = (accessRole: "viewer" | "editor") =>
    tokenFor(workspace, accessRole, {
      resources: [{ type: "document", id: SCOPE.documentId, organizationId: SCOPE.organizationId, accessRole }],
    });
  const [viewer, editor] = [await getToken("viewer"), await getToken("editor")];
  const call = (token: string, path: string, data: object) => callWith(token, `${service.address}${path}`, data);
  expect(await call(viewer, BROADCAST, { ...STATE, data: {} })).toMatchObject({
    httpStatus: 403,
    body: { error: { details: { reason: "access_denied" } } },
  });
  expect(await call(viewer, GET, SCOPE)).toMatchObject({ httpStatus: 200, body: { result: { data: [{}] } } });
  const bare = JSON.stringify({ ...STATE, data: { b: 2 }, merge: true });
  expect(await callWith(editor, `${service.address}${BROADCAST}`, bare)).toMatchObject({ httpStatus: 200 });
  expect(await readStates(workspace)).toEqual({ review: { a: 1, b: 2 } });
});

/** Adds states to the document, which exists, until it has this number. */
async function fillStates(workspace: TestWorkspace, count: number, documentId = SCOPE.documentId): Promise<void> {
  await runSql(
    service.database,
    `insert into live_states (organization_key, document_id, live_state_id, record, record_bytes)
      select $1, $2, 'filled-' || number, '{}', 2 from generate_series(1, $3 - (
        select count(*) from live_states where organization_key = $1 and document_id = $2)) as number`,
    [organizationKey(workspace.id, SCOPE.organizationId), documentId, count],
  );
}

describe("the limit of 100 live states in a document", () => {
  const TOO_MANY = { status: "FAILED_PRECONDITION", details: { reason: "limit_reached" } };

  test.each([false, true])("holds for a new state with merge %s, and not for one that exists", async (merge) => {
    const workspace = await service.workspace();
    await broadcast(workspace, { data: { a: 1 } });
    await fillStates(workspace, 100);
    const further = { ...STATE, liveStateDataId: "further", data: {}, merge };
    expect(await workspace.error(BROADCAST, further)).toMatchObject(TOO_MANY);
    await broadcast(workspace, { data: { b: 2 }, merge });
    expect((await readStates(workspace)).review).toEqual(merge ? { a: 1, b: 2 } : { b: 2 });
    expect(Object.keys(await readStates(workspace))).toHaveLength(100);
    await broadcast(workspace, { documentId: "other", merge });
  });

  test("holds for concurrent broadcasts on two processes, with and without a listener", async () => {
    const workspace = await service.workspace();
    for (const documentId of ["silent", "heard"]) {
      if (documentId === "heard") await workspace.data("/v2/events/get", { organizationId: SCOPE.organizationId });
      await broadcast(workspace, { documentId, data: {} });
      await fillStates(workspace, 95, documentId);
      const callers = [workspace, workspace.at(second.address)];
      const ids = Array.from({ length: 12 }, (_, index) => `state-${index}`);
      const calls = ids.map((liveStateDataId, index) =>
        (callers[index % 2] ?? workspace).call(
          BROADCAST,
          JSON.stringify({ data: { ...STATE, documentId, liveStateDataId, data: {}, merge: index % 3 === 0 } }),
        ),
      );
      const responses = await Promise.all(calls);
      expect(responses.filter(({ httpStatus }) => httpStatus === 200)).toHaveLength(5);
      expect(Object.keys(await readStates(workspace, { ...SCOPE, documentId }))).toHaveLength(100);
    }
  });

  test("does not count the states of a deleted document that wait for their purge", async () => {
    const workspace = await service.workspace();
    await broadcast(workspace, { data: {} });
    await fillStates(workspace, 100);
    await runSql(service.database, "insert into document_purges values ($1, $2, $3)", [
      organizationKey(workspace.id, SCOPE.organizationId),
      SCOPE.documentId,
      Date.now(),
    ]);
    await broadcast(workspace, { liveStateDataId: "further", data: {} });
  });
});

import { expect, test } from "vitest";
import { buildContext, enableContext, grantPairs, removePairs } from "../../../test/access-context.ts";
import { addAnnotations, changeAnnotations, readAnnotations } from "../../../test/comments.ts";
import { BEFORE_CACHE_EXPIRY } from "../../../test/eventually.ts";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { resourceNamed } from "../../../test/permissions.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startOwnTestService();
const second = await service.secondProcess();
const ANNOTATIONS = "/v2/commentannotations";
const PROJECT = { project: "p1" };
const BOTH = { ...PROJECT, team: 7 };

/** Creates a workspace that compares contexts, with annotations named after the pairs that they need. */
async function withContexts(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await enableContext(workspace);
  await addAnnotations(workspace, [
    { annotationId: "none", context: { note: "kept" } },
    { annotationId: "empty", context: { access: {} } },
    { annotationId: "project", context: { access: PROJECT } },
    { annotationId: "both", context: { access: BOTH, note: "kept" } },
  ]);
  return workspace;
}

async function call(token: string, operation: string, request: object = {}, address = service.address) {
  const { body } = await callWith(token, `${address}${operation}`, { ...SCOPE, ...request });
  return Object(body);
}

/** Reads the IDs of the annotations that the user sees. */
async function seenBy(token: string, address = service.address): Promise<string[]> {
  const { result } = await call(token, `${ANNOTATIONS}/get`, { order: "asc" }, address);
  return result.data.map(({ annotationId }: { annotationId: string }) => annotationId);
}

const OPEN = ["none", "empty"];

interface ActivityNames {
  id: string;
  targetEntityId: string;
}

test("a user needs every pair of an annotation, from stored permissions and from the token", async () => {
  const workspace = await withContexts();
  const plain = await tokenFor(workspace, "ada");
  const withTeam = await tokenFor(workspace, "ada", { resources: [buildContext({ team: "7" })] });
  const withBoth = await tokenFor(workspace, "grace", { resources: [buildContext(BOTH)] });
  expect([await seenBy(plain), await seenBy(withTeam)]).toEqual([OPEN, OPEN]);
  expect(await seenBy(withBoth)).toEqual([...OPEN, "project", "both"]);
  await grantPairs(workspace, "ada", PROJECT);
  expect([await seenBy(plain), await seenBy(withTeam)]).toEqual([
    [...OPEN, "project"],
    [...OPEN, "project", "both"],
  ]);
  expect((await readAnnotations(workspace)).length).toBe(4);
});

test("pairs of another organization, another user or an expired permission do not count", async () => {
  const workspace = await withContexts();
  await grantPairs(workspace, "grace", BOTH);
  await grantPairs(workspace, "ada", BOTH, { expiresAt: Math.floor(Date.now() / 1000) - 1 });
  const resources = [buildContext(BOTH, "globex"), { ...buildContext(BOTH), expiresAt: 1 }];
  expect(await seenBy(await tokenFor(workspace, "ada", { resources }))).toEqual(OPEN);
});

test("removing a pair ends it in stored permissions and in tokens, and keeps the others", async () => {
  const workspace = await withContexts();
  const token = await tokenFor(workspace, "ada", { resources: [buildContext(BOTH)] });
  await grantPairs(workspace, "ada", BOTH);
  await removePairs(workspace, "ada", { team: 7 });
  expect(await seenBy(token)).toEqual([...OPEN, "project"]);
  const read = { organizationId: "acme", userIds: ["ada", "grace"] };
  const { ada, grace } = await workspace.data("/v2/auth/permissions/get", read);
  expect([ada?.context, grace?.context]).toEqual([{ accessFields: ["project:p1"] }, undefined]);
});

test("hidden annotations are neither counted nor found by their ID, nor are their comments", async () => {
  const workspace = await withContexts();
  const token = await tokenFor(workspace, "ada");
  const { result: counted } = await call(token, `${ANNOTATIONS}/count/get`, {
    ...{ documentId: undefined, documentIds: [SCOPE.documentId] },
  });
  expect(counted.data).toMatchObject({ [SCOPE.documentId]: { total: 2 } });
  const { result: named } = await call(token, `${ANNOTATIONS}/get`, { annotationIds: ["none", "both"] });
  expect(named.data).toMatchObject([{ annotationId: "none" }, null]);
  for (const [annotationId, count] of [
    ["none", 1],
    ["both", 0],
  ] as const) {
    const { result } = await call(token, `${ANNOTATIONS}/comments/get`, { annotationId });
    expect(result.data).toHaveLength(count);
  }
});

test("activities about comments are those of annotations that the user sees", async () => {
  const workspace = await withContexts();
  const commentData = [{ commentText: "a secret", from: { userId: "ada" }, triggerActivities: true }];
  await addAnnotations(workspace, [
    { annotationId: "open", commentData },
    { annotationId: "closed", context: { access: PROJECT }, commentData },
    { annotationId: "deleted", context: { access: PROJECT }, commentData },
  ]);
  await changeAnnotations(workspace, "delete", { annotationIds: ["deleted"] });
  await addActivities(workspace, [{ id: "custom", featureType: "custom", targetEntityId: "elsewhere" }]);
  const token = await tokenFor(workspace, "ada");
  const targets = async (filters: object = {}) => {
    const { result } = await call(token, "/v2/activities/get", { order: "asc", ...filters });
    return result.data.map(({ id, targetEntityId }: ActivityNames) => (id === "custom" ? id : targetEntityId));
  };
  expect(await targets()).toEqual(["open", "custom"]);
  expect(await targets({ targetEntityId: "closed", userId: "ada" })).toEqual([]);
  expect(await targets({ featureTypes: ["comment", "reaction"] })).toEqual(["open"]);
  await grantPairs(workspace, "ada", PROJECT);
  expect(await targets()).toEqual(["open", "closed", "custom"]);
  expect(await targets({ targetEntityId: "closed", userId: "ada" })).toEqual(["closed"]);
});

test("hidden annotations are missing for every write of a user, also their own", async () => {
  const workspace = await withContexts();
  const token = await tokenFor(workspace, "ada");
  const before = await readAnnotations(workspace);
  const annotationId = "both";
  const comments = [{ commentText: "more" }];
  for (const [operation, request, isMissing] of [
    ["update", { annotationIds: [annotationId], updatedData: { priority: "high" } }, /not found/],
    ["delete", { annotationIds: [annotationId] }, /not found/],
    ["comments/update", { annotationId, commentIds: [1], updatedData: { commentText: "changed" } }, /not found/],
    ["comments/delete", { annotationId, commentIds: [1] }, /not found/],
    ["comments/add", { annotationId, commentData: comments }, /has no annotation/],
  ] as const) {
    const response = await call(token, `${ANNOTATIONS}/${operation}`, request);
    expect(JSON.stringify(response), operation).toMatch(isMissing);
  }
  const reaction = await call(token, "/v2/reactions/add", { annotationId, commentId: 1, reaction: "👍" });
  expect(reaction.error).toMatchObject({ status: "NOT_FOUND" });
  expect(await readAnnotations(workspace)).toEqual(before);
  await grantPairs(workspace, "ada", BOTH);
  const added = await call(token, `${ANNOTATIONS}/comments/add`, { annotationId, commentData: comments });
  expect(added.result.data).toEqual([2]);
});

test("pairs are not compared unless isContextEnabled is true, which takes effect on every process", async () => {
  const workspace = await withContexts();
  const token = await tokenFor(workspace, "ada");
  expect(await seenBy(token, second.address)).toEqual(OPEN);
  await enableContext(workspace, false);
  for (const { address } of [service, second]) {
    await expect.poll(() => seenBy(token, address), BEFORE_CACHE_EXPIRY).toEqual([...OPEN, "project", "both"]);
  }
  await enableContext(workspace);
  for (const { address } of [service, second]) {
    await expect.poll(() => seenBy(token, address), BEFORE_CACHE_EXPIRY).toEqual(OPEN);
  }
});

test("the pairs are returned as they were sent and as accessFields, and changed with the context alone", async () => {
  const workspace = await withContexts();
  const contexts = async () =>
    (await readAnnotations(workspace, { order: "asc" })).map(({ context }) => context).slice(2);
  const project = { access: PROJECT, accessFields: ["project:p1"] };
  const both = { access: BOTH, accessFields: ["project:p1", "team:7"], note: "kept" };
  expect(await contexts()).toEqual([project, both]);
  const token = await tokenFor(workspace, "grace");
  await changeAnnotations(workspace, "update", { annotationIds: ["both"], updatedData: { priority: "high" } });
  expect([await contexts(), await seenBy(token)]).toEqual([[project, both], OPEN]);
  await changeAnnotations(workspace, "update", {
    annotationIds: ["none"],
    updatedData: { context: { access: { team: "x" } } },
  });
  await changeAnnotations(workspace, "update", { annotationIds: ["project"], updatedData: { context: null } });
  await changeAnnotations(workspace, "update", { annotationIds: ["both"], updatedData: { context: {} } });
  expect(await seenBy(token)).toEqual(["empty", "project", "both"]);
});

test.each<[string, unknown, string]>([
  ["a reserved name", { organizationPrivate: "x" }, ".access"],
  ["a name that starts with __", { __proto: "x" }, ".access"],
  ["a name with a colon", { "a:b": "x" }, ".access"],
  ["an empty name", { "": "x" }, ".access"],
  ["a boolean", { team: true }, ".access.team"],
  ["a list", { team: ["a"] }, ".access.team"],
  ["an empty value", { team: "" }, ".access.team"],
  ["no object", "team", ".access"],
  ["201 pairs", Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, index])), ".access"],
])("%s in access is INVALID_ARGUMENT for annotations, permissions and tokens", async (_, access, path) => {
  const workspace = await service.publicWorkspace();
  const commentAnnotations = [{ annotationId: "a", commentData: [], context: { access } }];
  const resources = [{ type: "context", organizationId: "acme", context: { access } }];
  const permissions = { resources };
  for (const [operation, request, context] of [
    [`${ANNOTATIONS}/add`, { ...SCOPE, commentAnnotations }, "data.commentAnnotations[0].context"],
    ["/v2/auth/permissions/add", { user: { userId: "ada" }, permissions }, "data.permissions.resources[0].context"],
    [
      "/v2/auth/generate_token",
      { userId: "ada", userProperties: { name: "", email: "" }, permissions },
      "data.permissions.resources[0].context",
    ],
  ] as const) {
    const { body } = await workspace.call(operation, request);
    const { error } = Object(body);
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.details.issues.map((issue: { path: string }) => issue.path)).toContain(context + path);
  }
});

test.each<[string, object, string]>([
  ["without organizationId", { organizationId: undefined }, "organizationId is required for a context"],
  ["without context", { context: undefined }, "context is required for a context"],
  ["without pairs", { context: { access: {} } }, "context.access must have a field"],
  ["with an id", { id: "a" }, "id is not a field of a context"],
  ["with a role", { accessRole: "viewer" }, "accessRole is not a field of a context"],
  ["of another type", { type: "document", id: "d" }, "context is not a field of a resource of type document"],
])("a resource of pairs %s is INVALID_ARGUMENT", async (_, fields, message) => {
  const workspace = await service.publicWorkspace();
  const permissions = { resources: [{ ...buildContext(PROJECT), ...fields }] };
  const error = await workspace.error("/v2/auth/permissions/add", { user: { userId: "ada" }, permissions });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringContaining(`data.permissions.resources[0].${message}`),
  });
});

test("a repeated pair is INVALID_ARGUMENT, also a number and its text", async () => {
  const workspace = await service.publicWorkspace();
  const permissions = { resources: [buildContext(BOTH), resourceNamed("document d"), buildContext({ team: "7" })] };
  const error = await workspace.error("/v2/auth/permissions/add", { user: { userId: "ada" }, permissions });
  expect(error).toMatchObject({ message: "data.permissions.resources[2].context.access is repeated in this request" });
});

test("pairs are exported and deleted with the user's data, and a pair that names the user stays closed", async () => {
  const workspace = await service.publicWorkspace();
  await enableContext(workspace);
  const userId = "user-to-delete";
  await grantPairs(workspace, userId, { owner: userId });
  const commentData = [{ commentText: "mine", from: { userId: "grace" } }];
  const access = { owner: userId, team: "x" };
  await addAnnotations(workspace, [{ annotationId: "a", context: { access }, commentData }]);
  const exported = await workspace.data("/v2/users/data/get", { organizationId: "acme", userId });
  expect(exported.permissions).toEqual([{ type: "context", id: `owner:${userId}` }]);
  await deleteUserDataAndWait(workspace, [userId]);
  expect(await findRowsContaining(service.database, [userId])).toEqual([]);
  expect((await readAnnotations(workspace))[0]?.context).toEqual({
    ...{ access: { owner: "[deleted]", team: "x" }, accessFields: ["owner:[deleted]", "team:x"] },
  });
  expect(await seenBy(await tokenFor(workspace, "ada", { resources: [buildContext({ team: "x" })] }))).toEqual([]);
});

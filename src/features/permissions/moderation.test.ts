import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { addFolders } from "../../../test/folders.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { explain, getRole, grant, resourceNamed } from "../../../test/permissions.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { ACCESS_ROLES, type AccessRole } from "../../contract/end-user.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const { organizationId, documentId } = SCOPE;
const [ADD, REMOVE] = ["/v2/auth/permissions/add", "/v2/auth/permissions/remove"];
const [GET, EXPLAIN] = ["/v2/auth/permissions/get", "/v2/auth/permissions/explain"];
const DOCUMENT = `document ${documentId}`;
const ELSEWHERE = [{ type: "document" as const, id: "elsewhere", organizationId: "globex" }];

/** Creates a workspace of two organizations with a restricted document each, which ada moderates in the first. */
async function moderated(role: AccessRole = "moderator"): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  for (const id of [organizationId, "globex"]) {
    await workspace.data("/v2/organizations/documents/add", {
      ...{ organizationId: id, documents: [{ documentId }, { documentId: "other" }] },
    });
  }
  await grant(workspace, "ada", DOCUMENT, role);
  return workspace;
}

const tokenOfAda = (workspace: TestWorkspace) => tokenFor(workspace, "ada", { resources: ELSEWHERE });

async function call(token: string, path: string, data: object) {
  const { httpStatus, body } = await callWith(token, `${service.address}${path}`, data);
  const { error } = Object(body);
  return { httpStatus, data: Object(body).result?.data, reason: error?.details.reason, message: error?.message };
}

const add = (token: string, resources: object[], userId = "grace") =>
  call(token, ADD, { user: { userId }, permissions: { resources } });
const remove = (token: string, resources: object[], userId = "grace") =>
  call(token, REMOVE, { userId, permissions: { resources } });
const named = resourceNamed(DOCUMENT);

test("a moderator gives, reads and removes permissions on the document", async () => {
  const workspace = await moderated();
  await workspace.data("/v2/users/add", { organizationId, users: [{ userId: "grace", email: "grace@example.com" }] });
  const token = await tokenOfAda(workspace);
  for (const accessRole of ACCESS_ROLES) {
    expect(await add(token, [{ ...named, accessRole }])).toMatchObject({ httpStatus: 200 });
    expect(await getRole(workspace, "grace", documentId)).toBe(accessRole);
  }
  const asked = { organizationId, userIds: ["grace"], documentIds: [documentId] };
  const permission = { accessRole: "moderator", accessType: "restricted" };
  const read = { grace: { organization: {}, documents: { [documentId]: permission } } };
  expect((await call(token, GET, asked)).data).toEqual(read);
  const through = { type: "document", id: documentId };
  expect((await call(token, EXPLAIN, { organizationId, documentId })).data.users).toEqual([
    { userId: "ada", accessRole: "moderator", through },
    { userId: "grace", accessRole: "moderator", through },
  ]);
  expect(await remove(token, [named])).toMatchObject({ httpStatus: 200 });
  expect(await getRole(workspace, "grace", documentId)).toBe("permission_denied");
  expect(await add(token, [{ ...named, accessRole: "owner" }])).toMatchObject({ reason: "field_invalid" });
});

test("the audit log names the moderator until the data of the user is deleted", async () => {
  const workspace = await moderated();
  const token = await tokenOfAda(workspace);
  await add(token, [named]);
  await remove(token, [named]);
  const read = async () => {
    const entries = await workspace.data("/v2/workspace/audit/get", {
      actions: ["permission.add", "permission.remove"],
    });
    return entries.map(({ action, actor, target }) => [
      action,
      actor.type,
      actor.id,
      actor.name,
      Object(target).documentIds,
    ]);
  };
  const ofBackend = ["permission.add", "token", expect.any(String), "first", [documentId]];
  expect(await read()).toEqual([
    ["permission.remove", "user", "ada", "ada", [documentId]],
    ["permission.add", "user", "ada", "ada", [documentId]],
    ofBackend,
  ]);
  const found = await workspace.data("/v2/workspace/audit/get", { actorName: "ada" });
  expect(found).toHaveLength(2);
  await deleteUserDataAndWait(workspace, ["ada"]);
  expect(await read()).toEqual([
    ["permission.remove", "user", null, null, [documentId]],
    ["permission.add", "user", null, null, [documentId]],
    ofBackend,
  ]);
});

test.each<[title: string, resources: object[], reason: string]>([
  ["another document", [resourceNamed("document other")], "access_denied"],
  ["the document of another organization", [resourceNamed(DOCUMENT, "globex")], "access_denied"],
  ["an organization that does not exist", [resourceNamed(DOCUMENT, "missing")], "access_denied"],
  ["their document and another one", [named, resourceNamed("document other")], "access_denied"],
  ["another document and their own", [resourceNamed("document other"), named], "access_denied"],
  ["their document in two organizations", [named, resourceNamed(DOCUMENT, "globex")], "access_denied"],
  ["the organization", [resourceNamed("organization")], "field_invalid"],
  ["their document and the organization", [named, resourceNamed("organization")], "field_invalid"],
  ["a folder with the ID of their document", [resourceNamed(`folder ${documentId}`)], "field_invalid"],
  ["their document without its organization", [{ type: "document", id: documentId }], "field_invalid"],
  ["a pair", [{ type: "context", organizationId, context: { access: { team: "x" } } }], "unknown_field"],
  ["their document with a pair", [{ ...named, context: { access: { team: "x" } } }], "unknown_field"],
  ["their document twice", [named, named], "field_invalid"],
  ["an ID that differs in its normal form", [resourceNamed("document cafe\u0301")], "access_denied"],
  ["an ID with a lone surrogate", [{ ...named, id: "\ud800" }], "field_invalid"],
  ["an ID with a zero byte", [{ ...named, id: `${documentId}\u0000` }], "field_invalid"],
  ["an ID with a space", [{ ...named, id: `${documentId} ` }], "access_denied"],
  ["the ID of a prototype", [{ ...named, id: "__proto__" }], "access_denied"],
  ["no resource", [], "field_invalid"],
])("a moderator who names %s changes nothing", async (_, resources, reason) => {
  const workspace = await moderated();
  await grant(workspace, "ada", "document caf\u00e9", "moderator");
  const token = await tokenOfAda(workspace);
  for (const userId of ["grace", "ada"]) {
    expect(await add(token, resources, userId)).toMatchObject({ reason });
    expect(await remove(token, resources, userId)).toMatchObject({ reason });
  }
  expect((await explain(workspace, { documentId })).users.map(({ userId }) => userId)).toEqual(["ada"]);
  expect(await getRole(workspace, "ada", documentId)).toBe("moderator");
});

test.each(["viewer", "commenter", "editor"] as const)("a %s manages no permissions", async (role) => {
  const workspace = await moderated(role);
  const token = await tokenOfAda(workspace);
  const asked = { organizationId, userIds: ["grace"], documentIds: [documentId] };
  const responses = [
    await add(token, [named]),
    await remove(token, [named]),
    await call(token, GET, asked),
    await call(token, EXPLAIN, { organizationId, documentId }),
  ];
  expect(responses.map(({ reason }) => reason)).toEqual(Array.from(responses, () => "access_denied"));
  expect(await getRole(workspace, "grace", documentId)).toBe("permission_denied");
});

test("a moderator whose token is lower manages no permissions, and a token alone raises nobody", async () => {
  const workspace = await moderated();
  const tokenWith = (accessRole: AccessRole, userId: string) =>
    tokenFor(workspace, userId, { resources: [{ ...named, type: "document", accessRole }] });
  expect(await add(await tokenWith("editor", "ada"), [named])).toMatchObject({ reason: "access_denied" });
  await grant(workspace, "grace", DOCUMENT, "editor");
  const raised = await tokenWith("moderator", "grace");
  expect(await add(raised, [{ ...named, accessRole: "moderator" }])).toMatchObject({ reason: "access_denied" });
  expect(await getRole(workspace, "grace", documentId)).toBe("editor");
  expect(await add(await tokenWith("moderator", "ada"), [named])).toMatchObject({ httpStatus: 200 });
});

test("moderators give themselves nothing, which would outlast their token or the removal of their role", async () => {
  const workspace = await moderated();
  const resources = [{ ...named, type: "document" as const, accessRole: "moderator" as const }];
  const byToken = await tokenFor(workspace, "grace", { resources });
  for (const [token, userId] of [
    [byToken, "grace"],
    [await tokenOfAda(workspace), "ada"],
  ] as const) {
    expect(await add(token, [{ ...named, accessRole: "moderator" }], userId)).toMatchObject({
      reason: "access_denied",
    });
  }
  expect(await getRole(workspace, "grace", documentId)).toBe("permission_denied");
  expect(await add(byToken, [named], "alan")).toMatchObject({ httpStatus: 200 });
  expect(await remove(await tokenOfAda(workspace), [named], "ada")).toMatchObject({ httpStatus: 200 });
  expect(await getRole(workspace, "ada", documentId)).toBe("permission_denied");
});

test("a moderator of a folder manages the documents in it, and not the folder", async () => {
  const workspace = await moderated("viewer");
  await addFolders(workspace, [{ folderId: "f" }]);
  await workspace.data("/v2/organizations/documents/move", { organizationId, documentIds: ["other"], folderId: "f" });
  await grant(workspace, "ada", "folder f", "moderator");
  const token = await tokenOfAda(workspace);
  expect(await add(token, [resourceNamed("document other")])).toMatchObject({ httpStatus: 200 });
  expect(await add(token, [named])).toMatchObject({ reason: "access_denied" });
  expect(await add(token, [resourceNamed("folder f")])).toMatchObject({ reason: "field_invalid" });
  expect(await call(token, EXPLAIN, { organizationId, folderId: "f" })).toMatchObject({ httpStatus: 400 });
});

test("a moderator until a time gives permissions that end by then", async () => {
  const workspace = await moderated();
  const end = Math.floor(Date.now() / 1000) + 3600;
  await grant(workspace, "ada", DOCUMENT, "moderator", { expiresAt: end });
  const token = await tokenOfAda(workspace);
  const message = `data.permissions.resources for document "${documentId}" needs an expiresAt of at most ${end}`;
  for (const expiresAt of [undefined, end + 1]) {
    expect(await add(token, [{ ...named, expiresAt }])).toMatchObject({
      reason: "field_invalid",
      message: `${message}, when the permission of the caller ends`,
    });
  }
  expect(await add(token, [{ ...named, expiresAt: end }])).toMatchObject({ httpStatus: 200 });
  expect(await remove(token, [named])).toMatchObject({ httpStatus: 200 });
});

test("a moderator ends the permissions in tokens of others, and not those that bound the own token", async () => {
  const workspace = await moderated();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await grant(workspace, "ada", "organization", "moderator");
  const end = Math.floor(Date.now() / 1000) + 3600;
  const tokenUntil = (userId: string) =>
    tokenFor(workspace, userId, {
      resources: [{ ...named, type: "document", accessRole: "moderator", expiresAt: end }],
    });
  const [ofAda, ofGrace] = [await tokenUntil("ada"), await tokenUntil("grace")];
  expect(await remove(ofAda, [named], "ada")).toMatchObject({ httpStatus: 200 });
  expect(await add(ofAda, [named])).toMatchObject({ reason: "field_invalid" });
  expect(await add(ofGrace, [{ ...named, expiresAt: end }], "kurt")).toMatchObject({ httpStatus: 200 });
  expect(await remove(ofAda, [named], "grace")).toMatchObject({ httpStatus: 200 });
  expect(await add(ofGrace, [named], "kurt")).toMatchObject({ reason: "access_denied" });
});

test("a moderator manages nothing in a disabled document or organization", async () => {
  const workspace = await moderated();
  const token = await tokenOfAda(workspace);
  const document = { organizationId, documentIds: [documentId] };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", { ...document, disabled: true });
  expect(await add(token, [named])).toMatchObject({ reason: "document_disabled" });
  await workspace.data("/v2/organizations/access/disablestate/update", {
    ...{ organizationIds: [organizationId], disabled: true },
  });
  expect(await remove(token, [named])).toMatchObject({ reason: "organization_disabled" });
});

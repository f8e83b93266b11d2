import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, TestWorkspace } from "../../../test/harness.ts";
import { grant, resourceNamed } from "../../../test/permissions.ts";
import { runSql } from "../../../test/run-sql.ts";
import { ownedWorkspace, send, signIn } from "../../../test/sessions.ts";
import { AUDIT_ACTIONS, type AuditAction, type AuditTarget } from "../../contract/audit.ts";
import { type Api, operations } from "../../operations.ts";
import { bootstrapWorkspace } from "../workspaces/bootstrap.ts";
import { createToken, revokeToken, setActivityService } from "../workspaces/workspaces.ts";

const PATH = "/v2/workspace/audit/get";
const ID = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const CLIENT = { "x-forwarded-for": "203.0.113.9" };
const service = await startOwnTestService(() => ({ trustProxy: "127.0.0.1" }));

/** Reads entries, newest first. */
function entriesOf(caller: Pick<TestWorkspace, "data">, filters: Api[typeof PATH]["request"] = {}) {
  return caller.data(PATH, filters);
}

let owners = 0;
/** Creates a workspace with an owner who has signed in, and a document in a folder, a token and a domain to delete. */
async function administered() {
  const email = `owner-${++owners}@audit.example`;
  const workspace = await ownedWorkspace(service, email);
  const { id: tokenId } = await workspace.data("/v2/workspace/authtokens/add", { name: "old" });
  const { authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "reader" });
  const reader = new TestWorkspace(service.address, { workspaceId: workspace.id, apiKey: workspace.apiKey, authToken });
  await workspace.data("/v2/workspace/domains/add", { domains: ["old.example"] });
  await workspace.data("/v2/organizations/documents/add", {
    organizationId: SCOPE.organizationId,
    documents: [{ documentId: SCOPE.documentId }],
    folderId: "folder",
  });
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users: [{ userId: "ada" }] });
  await grant(workspace, "ada", `document ${SCOPE.documentId}`, "viewer");
  const session = await signIn(service, email);
  return { workspace, tokenId, reader, session, email };
}

type Prepared = Awaited<ReturnType<typeof administered>>;
const SCOPE_OF_DOCUMENTS = { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId, "unknown"] };
const DISABLED = { ...SCOPE_OF_DOCUMENTS, disabled: false };
const PERMISSIONS = {
  permissions: { resources: ["folder folder", "document contract-7"].map((it) => resourceNamed(it)) },
};
const GRANTED = { organizationIds: ["acme"], folderIds: ["folder"], documentIds: ["contract-7"] };
const USERS = { userIds: ["ada", "grace"], organizationIds: ["acme"] };
const RESTRICTED = { defaultDocumentAccessType: "restricted" };
const UNNOTIFIED = { useNotificationService: false, notificationServiceConfig: { triggers: {} } };
const UNNOTIFIED_FIELDS = { fields: ["useNotificationService", "triggers"] };

/** Every operation that is recorded, with a request, and the target of its entry. */
const RECORDED: [path: keyof Api, action: AuditAction, request: (given: Prepared) => object, target: AuditTarget][] = [
  [
    "/v2/workspace/activityconfig/update",
    "activity_config.update",
    () => ({ activityServiceConfig: { immutable: true, triggers: { "comment.add": true } } }),
    { fields: ["immutable", "triggers"] },
  ],
  [
    "/v2/workspace/emailconfig/update",
    "email_config.update",
    () => ({ useEmailService: false, emailServiceConfig: { apiKey: "the-secret", fromEmail: "ada@acme.example" } }),
    { fields: ["useEmailService", "apiKey", "fromEmail"] },
  ],
  [
    "/v2/workspace/authtokens/add",
    "auth_token.add",
    () => ({ name: "new", scopes: ["read"] }),
    { tokenId: ID, tokenName: "new", scopes: ["read"] },
  ],
  [
    "/v2/workspace/authtoken/reset",
    "auth_token.reset",
    ({ workspace }) => ({ apiKey: workspace.apiKey }),
    { tokenId: ID, newTokenId: ID, tokenName: "first" },
  ],
  [
    "/v2/workspace/authtokens/delete",
    "auth_token.delete",
    ({ tokenId }) => ({ tokenIds: [tokenId, "unknown"] }),
    { tokenIds: [ID] },
  ],
  [
    "/v2/workspace/domains/add",
    "domain.add",
    () => ({ domains: ["https://new.example/path"] }),
    { domains: ["new.example"] },
  ],
  ["/v2/workspace/domains/delete", "domain.delete", () => ({ domains: ["old.example"] }), { domains: ["old.example"] }],
  ["/v2/workspace/sessions/delete", "session.end", () => ({}), { sessionIds: [ID] }],
  [
    "/v2/organizations/access/disablestate/update",
    "organization_access.update",
    () => ({ organizationIds: ["acme"], disabled: true }),
    { organizationIds: ["acme"], disabled: true },
  ],
  [
    "/v2/organizations/delete",
    "organization.delete",
    () => ({ organizationIds: [SCOPE.organizationId, "unknown"] }),
    { organizationIds: [SCOPE.organizationId] },
  ],
  [
    "/v2/organizations/documents/delete",
    "document.delete",
    () => ({ organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId, "unknown"] }),
    { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId] },
  ],
  [
    "/v2/users/delete",
    "user.delete",
    () => ({ organizationId: SCOPE.organizationId, userIds: ["ada", "unknown"] }),
    { organizationId: SCOPE.organizationId, users: 1 },
  ],
  [
    "/v2/organizations/documents/access/update",
    "document_access.update",
    () => ({ ...SCOPE_OF_DOCUMENTS, accessType: "restricted" }),
    { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId], accessType: "restricted" },
  ],
  ["/v2/organizations/documents/access/disablestate/update", "document_access.update", () => DISABLED, DISABLED],
  [
    "/v2/organizations/folders/access/update",
    "folder_access.update",
    () => ({ organizationId: SCOPE.organizationId, folderIds: ["folder", "unknown"], inheritFromParent: true }),
    { organizationId: SCOPE.organizationId, folderIds: ["folder"], accessType: "inherited" },
  ],
  [
    "/v2/organizations/folders/delete",
    "folder.delete",
    () => ({ organizationId: SCOPE.organizationId, folderId: "folder" }),
    { organizationId: SCOPE.organizationId, folderId: "folder" },
  ],
  ["/v2/auth/permissions/add", "permission.add", () => ({ user: { userId: "ada" }, ...PERMISSIONS }), GRANTED],
  ["/v2/auth/permissions/remove", "permission.remove", () => ({ userId: "ada", ...PERMISSIONS }), GRANTED],
  ["/v2/workspace/apikeyconfig/update", "api_key_config.update", () => RESTRICTED, RESTRICTED],
  ["/v2/auth/tokens/revoke", "user_token.revoke", () => ({ userIds: ["ada", "grace", "ada"] }), { users: 2 }],
  ["/v2/workspace/notificationconfig/update", "notification_config.update", () => UNNOTIFIED, UNNOTIFIED_FIELDS],
  ["/v1/users/data/delete", "user_data.delete", () => USERS, { jobId: ID, users: 2, organizationIds: ["acme"] }],
];

/** The oldest entries of a workspace, newest first. */
const CREATED = [
  { action: "auth_token.add", target: { tokenId: expect.any(String), tokenName: "first" } },
  { action: "workspace.add", target: {} },
];

test("every operation that declares an act, and every act, is among those tested here", () => {
  const declared = operations.flatMap(({ path, audit }) => (audit ? [[path, audit]] : []));
  expect(RECORDED.map(([path, action]) => [path, action]).sort()).toEqual(declared.sort());
  const others = ["secret.rotate", "session.begin", "workspace.add", "workspace.restore", "workspace.update"];
  expect([...new Set([...RECORDED.map(([, action]) => action), ...others])].sort()).toEqual([...AUDIT_ACTIONS].sort());
});

test.each(RECORDED)(
  "%s is recorded: who did it, when, from where, and its target",
  async (path, action, request, target) => {
    const given = await administered();
    const { workspace, reader } = given;
    const begun = Date.now();
    expect((await workspace.call(path, request(given), CLIENT)).httpStatus).toBeLessThan(300);
    // The token that acts may be replaced by the act.
    const [entry] = await entriesOf(reader);
    expect(entry).toEqual({
      ...{ id: ID, timestamp: expect.any(Number), action, clientAddress: "203.0.113.9", target },
      actor: { type: "token", id: ID, name: "first" },
    });
    expect(entry?.timestamp).toBeGreaterThanOrEqual(begun);
    expect(JSON.stringify(entry)).not.toMatch(/the-secret|"ada|"grace/);
  },
);

test.each<[title: string, path: string, request: (given: Prepared) => object]>([
  ["an invalid request", "/v2/workspace/domains/add", () => ({ domains: ["new.example", "not a domain"] })],
  ["an incomplete provider", "/v2/workspace/emailconfig/update", incompleteProvider],
  ["unknown tokens", "/v2/workspace/authtokens/delete", () => ({ tokenIds: ["unknown"] })],
  ["unknown organizations", "/v2/organizations/delete", () => ({ organizationIds: ["unknown"] })],
  ["unknown users", "/v2/users/delete", () => ({ organizationId: SCOPE.organizationId, userIds: ["unknown"] })],
  ["unknown permissions", "/v2/auth/permissions/remove", () => ({ userId: "grace", ...PERMISSIONS })],
  ["unknown domains", "/v2/workspace/domains/delete", () => ({ domains: ["unknown.example"] })],
  ["domains that exist", "/v2/workspace/domains/add", () => ({ domains: ["old.example"] })],
])("%s changes nothing and has no entry", async (_title, path, request) => {
  const given = await administered();
  const before = await entriesOf(given.workspace);
  await given.workspace.call(path, request(given));
  expect(await entriesOf(given.workspace)).toEqual(before);
});

test("an act that is done in part has an entry that names that part", async () => {
  const { workspace } = await administered();
  const domains = ["old.example", "new.example"];
  expect(await workspace.call("/v2/workspace/domains/add", { domains })).toMatchObject({ httpStatus: 409 });
  expect((await entriesOf(workspace))[0]?.target).toEqual({ domains: ["new.example"] });
});

function incompleteProvider() {
  return { useEmailService: true, emailServiceConfig: { type: "resend", apiKey: "", fromEmail: "" } };
}

test("an act whose entry cannot be written is not done", async () => {
  const own = await startOwnTestService();
  const workspace = await own.workspace();
  await runSql(own.database, "alter table audit_entries add constraint refused check (action <> 'domain.add')");
  expect(await workspace.call("/v2/workspace/domains/add", { domains: ["new.example"] })).toMatchObject({
    httpStatus: 500,
  });
  expect(await workspace.data("/v2/workspace/domains/get", {})).toMatchObject({ domains: [] });
});

test("a session acts as its owner, and its begin and end are recorded in all workspaces of the owner", async () => {
  const email = `owner-${++owners}@audit.example`;
  const [one, two] = [await ownedWorkspace(service, email), await ownedWorkspace(service, email)];
  const session = await signIn(service, email, CLIENT);
  await session.data("/v2/workspace/domains/add", { domains: ["new.example"] }, { "x-colloquy-workspace": two.id });
  await send(`${service.address}/console/session/end`, {}, session.headers);
  const actor = { type: "session", id: ID, name: email };
  const target = { sessionIds: [ID] };
  const begin = { action: "session.begin", actor, clientAddress: "203.0.113.9", target };
  const end = { action: "session.end", actor, clientAddress: "127.0.0.1", target };
  expect(await entriesOf(one)).toMatchObject([end, begin, ...CREATED]);
  expect(await entriesOf(two)).toMatchObject([end, { action: "domain.add", actor }, begin, ...CREATED]);
});

test("a browser that signs in again ends its previous session, which is recorded too", async () => {
  const { workspace, session, email } = await administered();
  await signIn(service, email, { cookie: session.cookie });
  expect((await entriesOf(workspace)).map(({ action }) => action).slice(0, 3)).toEqual([
    "session.begin",
    "session.end",
    "session.begin",
  ]);
});

test("only sessions of the operator see those of the operator", async () => {
  const { workspace, session } = await administered();
  const operator = await signIn(service, null);
  const ofOperator = { action: "session.begin", actor: { type: "session", id: ID, name: null } };
  const named = { "x-colloquy-workspace": workspace.id };
  expect((await operator.data(PATH, {}, named))[0]).toMatchObject(ofOperator);
  expect((await operator.data(PATH, {}, named)).at(-1)).toMatchObject({ action: "workspace.add" });
  for (const caller of [workspace, session])
    expect(await entriesOf(caller)).not.toContainEqual(expect.objectContaining(ofOperator));
});

test("sessions that a request ends are recorded in all workspaces of the owner", async () => {
  const email = `owner-${++owners}@audit.example`;
  const [one, two] = [await ownedWorkspace(service, email), await ownedWorkspace(service, email)];
  await signIn(service, email);
  await one.data("/v2/workspace/sessions/delete", {});
  const [begin] = await entriesOf(two, { actions: ["session.begin"] });
  const end = { action: "session.end", actor: { type: "token", id: ID, name: "first" }, target: begin?.target };
  for (const workspace of [one, two]) expect((await entriesOf(workspace))[0]).toMatchObject(end);
});

test("only sessions of the operator see that one of them has ended another", async () => {
  const { workspace, session } = await administered();
  const named = { "x-colloquy-workspace": workspace.id };
  await signIn(service, null);
  const operator = await signIn(service, null);
  const sessions = await operator.data("/v2/workspace/sessions/get", {}, named);
  const sessionIds = sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
  await operator.data("/v2/workspace/sessions/delete", { sessionIds }, named);
  const [entry] = await operator.data(PATH, {}, named);
  const target = { sessionIds: expect.arrayContaining(sessionIds) };
  expect(entry).toMatchObject({ action: "session.end", actor: { type: "session", id: ID, name: null }, target });
  for (const caller of [workspace, session])
    expect((await entriesOf(caller)).map(({ id }) => id)).not.toContain(entry?.id);
});

test("what the command line does is recorded, without a client", async () => {
  const workspace = await service.workspace();
  const { database } = service;
  const { tokenId } = await createToken(database, { workspaceId: workspace.id, name: "cron", expiresAt: undefined });
  await setActivityService(database, workspace.id, false);
  await revokeToken(database, tokenId);
  const byOperator = { actor: { type: "command_line", id: null, name: null }, clientAddress: null };
  expect(await entriesOf(workspace)).toMatchObject([
    { ...byOperator, action: "auth_token.delete", target: { tokenIds: [tokenId] } },
    { ...byOperator, action: "activity_config.update", target: { fields: ["isEnabled"] } },
    { ...byOperator, action: "auth_token.add", target: { tokenId, tokenName: "cron" } },
    ...CREATED.map((entry) => ({ ...byOperator, ...entry })),
  ]);
});

test("what a start creates and changes is recorded, and a start that changes nothing has no entry", async () => {
  const { bootstrap = expect.fail(), dataDir } = service.config;
  const workspace = new TestWorkspace(service.address, { workspaceId: "", ...bootstrap });
  for (const ownerEmail of ["ada@acme.example", "ada@acme.example"]) {
    await bootstrapWorkspace(service.database, { bootstrap: { ...bootstrap, ownerEmail }, dataDir });
  }
  expect(await entriesOf(workspace)).toMatchObject([
    { action: "workspace.update", actor: { type: "command_line" }, target: { fields: ["ownerEmail"] } },
    { action: "auth_token.add", actor: { type: "command_line" }, target: { tokenName: "bootstrap" } },
    { action: "workspace.add", actor: { type: "command_line" } },
  ]);
});

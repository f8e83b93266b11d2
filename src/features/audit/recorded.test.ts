import { expect, test } from "vitest";
import { administered } from "../../../test/administered.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService } from "../../../test/harness.ts";
import { resourceNamed } from "../../../test/permissions.ts";
import { createEndpoint } from "../../../test/webhooks.ts";
import { AUDIT_ACTIONS, type AuditAction, type AuditTarget } from "../../contract/audit.ts";
import { type Api, operations } from "../../operations.ts";

const PATH = "/v2/workspace/audit/get";
const ID = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const CLIENT = { "x-forwarded-for": "203.0.113.9" };
const service = await startOwnTestService(() => ({ trustProxy: "127.0.0.1" }));

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function prepare() {
  const given = await administered(service);
  return { ...given, endpointId: await createEndpoint(given.workspace) };
}

const SCOPE_OF_DOCUMENTS = { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId, "unknown"] };
const MIGRATED = { ...SCOPE, newDocumentId: "contract-8" };
const DISABLED = { ...SCOPE_OF_DOCUMENTS, disabled: false };
const PERMISSIONS = {
  permissions: { resources: ["folder folder", "document contract-7"].map((it) => resourceNamed(it)) },
};
const GRANTED = { organizationIds: ["acme"], folderIds: ["folder"], documentIds: ["contract-7"] };
const ADDED_USERS = { organizationId: "acme", folderId: "folder", users: [{ userId: "grace" }, { userId: "ada" }] };
const TOKEN_REQUEST = {
  userId: "grace",
  userProperties: { name: "Grace", email: "grace@acme.example" },
  permissions: { resources: ["organization", "document contract-7"].map((it) => resourceNamed(it)) },
};
const USERS = { userIds: ["ada", "grace"], organizationIds: ["acme"] };
const RESTRICTED = { defaultDocumentAccessType: "restricted" };
const TOKEN_ISSUER = { isEnabled: false, issuer: "https://issuer.example/", jwksUrl: "https://issuer.example/keys" };
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
    { tokenIds: [ID], tokenNames: ["old"] },
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
  ["/v2/organizations/documents/migrate", "document.migrate", () => MIGRATED, MIGRATED],
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
  [
    "/v2/workspace/tokenissuerconfig/update",
    "token_issuer_config.update",
    () => TOKEN_ISSUER,
    { ...TOKEN_ISSUER, fields: ["isEnabled", "issuer", "jwksUrl"] },
  ],
  ["/v2/workspace/notificationconfig/update", "notification_config.update", () => UNNOTIFIED, UNNOTIFIED_FIELDS],
  [
    "/v2/workspace/webhookconfig/update",
    "webhook_config.update",
    () => ({ useWebhookService: true, webhookServiceConfig: { authToken: "the-secret" } }),
    { fields: ["useWebhookService", "authToken"] },
  ],
  [
    "/v2/workspace/advancedwebhookconfig/update",
    "webhook_config.update",
    () => ({ isEnabled: true, encodeData: true }),
    { fields: ["isEnabled", "encodeData"] },
  ],
  [
    "/v2/workspace/advancedwebhook/endpoints/create",
    "webhook_endpoint.add",
    () => ({ url: "https://ada:the-secret@acme.example" }),
    { endpointId: ID },
  ],
  [
    "/v2/workspace/advancedwebhook/endpoints/update",
    "webhook_endpoint.update",
    ({ endpointId }) => ({ endpointId, url: "https://ada:the-secret@acme.example", disabled: true }),
    { endpointId: ID, fields: ["url", "disabled"] },
  ],
  [
    "/v2/workspace/advancedwebhook/endpoints/secret/rotate",
    "webhook_secret.rotate",
    ({ endpointId }) => ({ endpointId }),
    { endpointId: ID },
  ],
  [
    "/v2/workspace/advancedwebhook/endpoints/delete",
    "webhook_endpoint.delete",
    ({ endpointId }) => ({ endpointId }),
    { endpointId: ID },
  ],
  ["/v1/users/data/delete", "user_data.delete", () => USERS, { jobId: ID, users: 2, organizationIds: ["acme"] }],
  ["/v2/users/add", "user.add", () => ADDED_USERS, { organizationId: "acme", folderId: "folder", users: 2 }],
  [
    "/v2/users/update",
    "user.update",
    () => ({
      organizationId: "acme",
      users: [
        { userId: "ada", accessRole: "viewer" },
        { userId: "unknown", accessRole: "viewer" },
      ],
    }),
    { organizationId: "acme", users: 1 },
  ],
  [
    "/v2/organizations/documents/move",
    "document.move",
    () => ({ organizationId: "acme", documentIds: [SCOPE.documentId], folderId: "root" }),
    { organizationId: "acme", documentIds: [SCOPE.documentId], folderId: "root" },
  ],
  [
    "/v2/organizations/documents/add",
    "document.move",
    () => ({
      organizationId: "acme",
      documents: [SCOPE.documentId, "new"].map((documentId) => ({ documentId })),
      folderId: "other",
    }),
    { organizationId: "acme", documentIds: [SCOPE.documentId], folderId: "other" },
  ],
  [
    "/v2/organizations/folders/update",
    "folder.move",
    () => ({
      organizationId: "acme",
      folders: [
        { folderId: "inner", parentFolderId: "folder" },
        { folderId: "folder", folderName: "Folder" },
      ],
    }),
    { organizationId: "acme", folderIds: ["inner"], parentFolderIds: ["folder"] },
  ],
  ["/v2/auth/generate_token", "permission.add", () => TOKEN_REQUEST, { organizationIds: ["acme"] }],
  [
    "/v1/auth/token/get",
    "permission.add",
    ({ workspace: { apiKey, authToken } }) => ({
      apiKey,
      authToken,
      userId: "grace",
      userProperties: { organizationId: "globex" },
    }),
    { organizationIds: ["globex"] },
  ],
];

test("every operation that declares an act, and every act, is among those tested here", () => {
  const declared = operations.flatMap(({ path, audit }) => (audit ? [[path, audit]] : []));
  expect(RECORDED.map(([path, action]) => [path, action]).sort()).toEqual(declared.sort());
  const others = [
    "secret.rotate",
    "session.begin",
    "workspace.add",
    "workspace.backup",
    "workspace.restore",
    "workspace.update",
  ];
  expect([...new Set([...RECORDED.map(([, action]) => action), ...others])].sort()).toEqual([...AUDIT_ACTIONS].sort());
});

test.each(RECORDED)(
  "%s is recorded: who did it, when, from where, and its target",
  async (path, action, request, target) => {
    const given = await prepare();
    const { workspace, reader } = given;
    const begun = Date.now();
    expect((await workspace.call(path, request(given), CLIENT)).httpStatus).toBeLessThan(300);
    // The token that acts may be replaced by the act.
    const [entry] = await reader.data(PATH, {});
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
  ["unknown domains", "/v2/workspace/domains/delete", () => ({ domains: ["unknown.example"] })],
  ["a user whose role is not sent", "/v2/users/update", () => ({ organizationId: "acme", users: [{ userId: "ada" }] })],
  ["a document that stays in its folder", "/v2/organizations/documents/move", unmoved],
  ["a folder that stays", "/v2/organizations/folders/update", renamed],
  [
    "a user with a permission on the organization",
    "/v2/auth/generate_token",
    () => ({ ...TOKEN_REQUEST, userId: "ada" }),
  ],
  ["domains that exist", "/v2/workspace/domains/add", () => ({ domains: ["old.example"] })],
])("%s changes nothing and has no entry", async (_title, path, request) => {
  const given = await prepare();
  const before = await given.workspace.data(PATH, {});
  await given.workspace.call(path, request(given));
  expect(await given.workspace.data(PATH, {})).toEqual(before);
});

function incompleteProvider() {
  return { useEmailService: true, emailServiceConfig: { type: "resend", apiKey: "", fromEmail: "" } };
}

function unmoved() {
  return { organizationId: "acme", documentIds: [SCOPE.documentId], folderId: "folder" };
}

function renamed() {
  return { organizationId: "acme", folders: [{ folderId: "folder", folderName: "New", parentFolderId: "root" }] };
}

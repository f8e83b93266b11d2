import { describe, expect, test } from "vitest";
import { ACCESS_ROLES, includesRole } from "../../src/contract/end-user.ts";
import type { AuthenticatedOperation, Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/operations.ts";
import { expectedSuccess, preparedWorkspace } from "../examples.ts";
import { SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

const service = await startTestService();

type Callable = AuthenticatedOperation & Required<Pick<AuthenticatedOperation, "endUsers">>;

function isCallable(operation: Operation): operation is Callable {
  return operation.authentication !== "none" && operation.endUsers !== undefined;
}

const callable = operations.filter(isCallable);
const documentOperations = callable.filter(({ endUsers }) => endUsers.on === "documents");
const optionalDocumentOperations = callable.filter(({ endUsers }) => endUsers.on === "optionalDocuments");
const TOKEN_FIELDS = ["userId", "name", "email", "photoUrl"];

/** Requests of users that differ from the example, because users may send less. */
const REQUESTS: { [path: string]: object } = {
  "/v2/commentannotations/update": { ...SCOPE, annotationIds: ["annotation-1"], updatedData: { priority: "high" } },
  "/v2/notifications/config/get": {
    ...{ organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId], userId: "ada" },
  },
  "/v2/recordings/update": { ...SCOPE, recordings: [{ annotationId: "recording-1", displayName: "Clause 3" }] },
  "/v2/users/get": SCOPE,
  "/v2/organizations/usergroups/get": { organizationId: SCOPE.organizationId },
  "/v2/recordings/delete": { ...SCOPE, recordingIds: ["recording-1"] },
  "/v2/notifications/delete": { ...SCOPE, notificationIds: ["notification-1"] },
  "/v2/auth/permissions/get": {
    ...{ organizationId: SCOPE.organizationId, userIds: ["grace"], documentIds: [SCOPE.documentId] },
  },
};

/** Returns the user of the example, who may change its records. */
function getCaller({ path }: Operation): string {
  return /\/(reactions\/.*|notifications\/delete)$/.test(path) ? "grace" : "ada";
}

/** Calls `change` with each value in the request that names the caller, and the key under which its parent has it. */
function eachIdentity(
  { identity = {} }: Callable["endUsers"],
  request: object,
  change: (parent: object, key: string | number, isUser: boolean) => void,
): void {
  function visit(parent: object, [step = "", ...rest]: string[], isUser: boolean): void {
    const field = step.replace("[]", "");
    const value = Reflect.get(parent, field);
    if (field === step) {
      if (rest.length > 0) visit(value, rest, isUser);
      else change(parent, field, isUser);
      return;
    }
    for (const index of Object(value ?? []).keys()) {
      if (rest.length === 0) change(value, index, isUser);
      else visit(value[index], rest, isUser);
    }
  }
  for (const path of identity.users ?? []) visit(request, path.split("."), true);
  for (const path of identity.userIds ?? []) visit(request, path.split("."), false);
}

/** Returns a request of the user who calls, which leaves out who that is. */
function buildRequest({ path, example, endUsers }: Callable): object {
  const request = structuredClone(Object(REQUESTS[path] ?? example));
  eachIdentity(endUsers, request, (parent, key, isUser) => {
    const value = Reflect.get(parent, key);
    if (!isUser || typeof key === "string") Reflect.deleteProperty(parent, key);
    else for (const field of TOKEN_FIELDS) Reflect.deleteProperty(value, field);
  });
  for (const [name, value] of Object.entries(request)) {
    if (Array.isArray(value))
      Reflect.set(
        request,
        name,
        value.filter((item) => item !== undefined),
      );
    if (Array.isArray(value) && Object.keys(value).length === 0) Reflect.deleteProperty(request, name);
  }
  return request;
}

type Resources = NonNullable<NonNullable<Parameters<typeof tokenFor>[2]>["resources"]>;
const on = (documentId: string, fields: Partial<Resources[number]> = {}): Resources => [
  { type: "document", id: documentId, organizationId: SCOPE.organizationId, ...fields },
];

/** Creates a workspace with what the example needs, in which documents are restricted. */
async function restricted(path: string): Promise<TestWorkspace> {
  const workspace = await preparedWorkspace(service, path);
  await workspace.data("/v2/presence/add", { ...SCOPE, users: [{ userId: "somebody" }] });
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  return workspace;
}

async function call(workspace: TestWorkspace, operation: Operation, request: object, resources: Resources) {
  return callWith(
    await tokenFor(workspace, getCaller(operation), { resources }),
    `${service.address}${operation.path}`,
    request,
  );
}

const rejection = (reason: string) => ({
  httpStatus: 403,
  body: { error: { status: "PERMISSION_DENIED", details: { reason } } },
});

test("every operation that its contract does not give to users rejects user tokens", async () => {
  const workspace = await service.workspace();
  const token = await tokenFor(workspace, "ada", { resources: on(SCOPE.documentId) });
  for (const operation of operations) {
    if (isCallable(operation) || operation.authentication === "none") continue;
    for (const path of [operation.path, ...(operation.aliases ?? [])]) {
      const response = await callWith(token, `${service.address}${path}`, operation.example);
      expect(response, path).toMatchObject(rejection("backend_only"));
    }
  }
});

test("only moderators do administrative acts, and all operations that write records of users say whose", () => {
  for (const { path, audit, scope, endUsers } of callable) {
    if (endUsers.role !== "moderator") expect(audit, path).toBeUndefined();
    const isOfDocument = /^\/v2\/(livestate\/broadcast|crdt\/(schema|versions)\/.*|auth\/permissions\/.*)$/.test(path);
    expect([path, endUsers.changes !== undefined]).toEqual([path, scope === "write" && !isOfDocument]);
    expect(["read", "write"], path).toContain(scope);
  }
});

describe.each(callable.map((operation) => [operation.path, operation] as const))("%s", (path, operation) => {
  const { role } = operation.endUsers;

  test("succeeds for users with the role, at each of its paths, without naming who calls", async () => {
    const needed = operation.endUsers.changes === "byField" ? "commenter" : role;
    const roles = ACCESS_ROLES.filter((one) => includesRole(one, needed));
    for (const [index, accessRole] of roles.entries()) {
      const paths = index === 0 ? [path, ...(operation.aliases ?? [])] : [path];
      for (const each of paths) {
        const workspace = await restricted(path);
        const resources = on(SCOPE.documentId, { accessRole });
        const response = await call(
          workspace,
          { ...operation, path: path.replace(path, each) as typeof path },
          buildRequest(operation),
          resources,
        );
        expect(response).toMatchObject(expectedSuccess(operation));
        expect(JSON.stringify(response.body)).not.toContain('"success":false');
      }
    }
  });

  test("rejects another user in each field that names the caller", async () => {
    const workspace = await restricted(path);
    const resources = on(SCOPE.documentId);
    const fields: object[] = [];
    for (const field of TOKEN_FIELDS) {
      const request = structuredClone(Object(REQUESTS[path] ?? operation.example));
      eachIdentity(operation.endUsers, request, (parent, key, isUser) => {
        const userId = getCaller(operation);
        const own = { userId, name: `The user ${userId}`, email: `${userId}@example.com` };
        Reflect.set(parent, key, isUser ? { ...own, [field]: "somebody" } : "somebody");
        fields.push(request);
      });
    }
    for (const request of fields) {
      expect(await call(workspace, operation, request, resources)).toMatchObject(rejection("identity_mismatch"));
    }
    expect(fields.length > 0).toBe(operation.endUsers.identity !== undefined);
  });
});

test.each([
  ["/v2/commentannotations/add", { commentAnnotations: [{ commentData: [{ from: { initial: "x" } }] }] }],
  ["/v2/commentannotations/comments/add", { annotationId: "a", commentData: [{ from: { displayName: "x" } }] }],
  ["/v2/reactions/add", { annotationId: "a", commentId: 1, reaction: "+1", from: { initial: "x" } }],
] as const)("%s rejects what could show another author", async (path, request) => {
  const workspace = await restricted(path);
  const token = await tokenFor(workspace, "ada", { resources: on(SCOPE.documentId) });
  const response = await callWith(token, `${service.address}${path}`, { ...SCOPE, ...request });
  const message = expect.stringContaining("is not a field of this operation for user tokens.");
  const error = { message, details: { reason: "unknown_field" } };
  expect(response).toMatchObject({ httpStatus: 400, body: { error } });
});

describe.each(documentOperations.map((operation) => [operation.path, operation] as const))("%s", (path, operation) => {
  test("rejects users without the role, and with one that has expired or is for something else", async () => {
    const workspace = await restricted(path);
    const request = buildRequest(operation);
    const expired = { expiresAt: Math.floor(Date.now() / 1000) };
    const elsewhere: Resources[] = [
      on("contract-8"),
      on(SCOPE.documentId, expired),
      on(SCOPE.documentId, { organizationId: "globex" }),
      [{ type: "organization", id: SCOPE.organizationId }],
      [{ type: "folder", id: SCOPE.documentId, organizationId: SCOPE.organizationId }],
    ];
    for (const resources of elsewhere) {
      expect(await call(workspace, operation, request, resources)).toMatchObject(rejection("access_denied"));
    }
    for (const accessRole of ACCESS_ROLES.filter((one) => !includesRole(one, operation.endUsers.role))) {
      const response = await call(workspace, operation, request, on(SCOPE.documentId, { accessRole }));
      expect(response).toMatchObject(rejection("access_denied"));
    }
  });

  test("rejects users of another organization in a workspace with the settings of a new one", async () => {
    const workspace = await preparedWorkspace(service, path);
    const response = await call(workspace, operation, buildRequest(operation), [
      { type: "organization", id: "globex" },
    ]);
    expect(response).toMatchObject(rejection("access_denied"));
  });

  test("rejects another document, also beside one that the user may use, and another organization", async () => {
    const workspace = await restricted(path);
    const request = buildRequest(operation);
    const isList = "documentIds" in request;
    const others = [
      isList ? { ...request, documentIds: [SCOPE.documentId, "contract-8"] } : { ...request, documentId: "contract-8" },
      { ...request, organizationId: "globex" },
    ];
    for (const each of others) {
      expect(await call(workspace, operation, each, on(SCOPE.documentId))).toMatchObject(rejection("access_denied"));
    }
  });

  test("rejects a request without a document", async () => {
    const workspace = await restricted(path);
    const {
      documentId: _d,
      documentIds: _i,
      ...request
    }: { documentId?: string; documentIds?: string[] } = buildRequest(operation);
    const response = await call(workspace, operation, request, on(SCOPE.documentId));
    expect(response).toMatchObject({ httpStatus: 400, body: { error: { details: { reason: "field_invalid" } } } });
  });
});

test.each(optionalDocumentOperations.map((operation) => [operation.path, operation] as const))(
  "%s needs no document, but rejects one that the user may not read, a missing and a disabled organization",
  async (path, operation) => {
    const workspace = await restricted(path);
    const named = path.includes("/config/") ? "documentIds" : "documentId";
    const request = { ...buildRequest(operation), [named]: undefined, getOrganizationConfig: undefined };
    const anyDocument = path.endsWith("config/get") ? { getOrganizationConfig: true } : {};
    const response = await call(workspace, operation, { ...request, ...anyDocument }, on("contract-8"));
    expect(response).toMatchObject({ httpStatus: 200 });
    const naming = (documentId: string) => ({
      ...request,
      [named]: named === "documentIds" ? [documentId] : documentId,
    });
    expect(await call(workspace, operation, naming(SCOPE.documentId), on("contract-8"))).toMatchObject(
      rejection("access_denied"),
    );
    const elsewhere = { ...request, ...anyDocument, organizationId: "globex" };
    expect(await call(workspace, operation, elsewhere, on(SCOPE.documentId))).toMatchObject(rejection("access_denied"));
    await workspace.data("/v2/organizations/access/disablestate/update", {
      ...{ organizationIds: [SCOPE.organizationId], disabled: true },
    });
    const disabled = await call(workspace, operation, { ...request, ...anyDocument }, on(SCOPE.documentId));
    expect(disabled).toMatchObject(rejection("organization_disabled"));
  },
);

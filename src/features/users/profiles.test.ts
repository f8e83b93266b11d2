import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;
const GET = "/v2/users/get";
type Token = Parameters<typeof tokenFor>[2];

const named = (userId: string) => ({
  ...{ userId, name: `The user ${userId}`, email: `${userId}@example.com`, photoUrl: "https://files.example/1.png" },
  ...{ initial: "X", team: "legal" },
});
const profile = (userId: string) => ({
  ...{ userId, name: `The user ${userId}`, photoUrl: "https://files.example/1.png" },
});
const NO_GRANTS: Token = { resources: [{ type: "document", id: "other", organizationId }] };
const asViewer: Token = { resources: [{ type: "organization", id: organizationId, accessRole: "viewer" }] };
const onDocument: Token = { resources: [{ type: "document", id: documentId, organizationId, accessRole: "viewer" }] };
const elsewhere: Token = { resources: [{ type: "organization", id: "globex" }] };

/** Creates members ada and bob, a guest carl of the document, and dora who is a user without a permission. */
async function start(accessType: "organizationPrivate" | "restricted" | "public"): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  await workspace.data("/v2/organizations/documents/access/update", {
    organizationId,
    documentIds: [documentId],
    accessType,
  });
  await workspace.data("/v2/organizations/add", { organizations: [{ organizationId: "globex" }] });
  const members = ["ada", "bob"].map((userId) => ({ ...named(userId), accessRole: "editor" as const }));
  await workspace.data("/v2/users/add", { organizationId, users: [...members, named("dora")] });
  await workspace.data("/v2/users/add", { ...SCOPE, users: [{ ...named("carl"), accessRole: "commenter" }] });
  await workspace.data("/v2/users/add", { organizationId: "globex", users: [named("eve")] });
  return workspace;
}

async function read(workspace: TestWorkspace, userId: string, given: Token, request: object): Promise<unknown> {
  const token = await tokenFor(workspace, userId, given);
  const { body } = await callWith(token, `${service.address}${GET}`, { organizationId, ...request });
  const { result, error } = Object(body);
  return error ? error.details.reason : result.data;
}

test("a user with a role on an organization reads the names and photos of its users, and nothing else", async () => {
  const workspace = await start("organizationPrivate");
  const all = [profile("ada"), profile("bob"), profile("dora")];
  expect(await read(workspace, "frank", asViewer, {})).toEqual(all);
  expect(await read(workspace, "ada", NO_GRANTS, {})).toEqual(all);
});

test.each([
  ["organizationPrivate", ["ada", "bob", "carl"]],
  ["restricted", ["carl"]],
  ["public", ["ada", "bob", "carl"]],
] as const)("a user with a role on a document that is %s reads those with access to it", async (type, expected) => {
  const workspace = await start(type);
  expect(await read(workspace, "frank", onDocument, { documentId })).toEqual(expected.map(profile));
  expect(await read(workspace, "carl", NO_GRANTS, { documentId })).toEqual(expected.map(profile));
});

test("a user without a permission reads nobody, also not of a public document", async () => {
  const workspace = await start("public");
  for (const token of [elsewhere, NO_GRANTS]) {
    expect(await read(workspace, "frank", token, {})).toEqual([]);
    expect(await read(workspace, "frank", token, { documentId })).toEqual([]);
  }
  expect(await read(workspace, "carl", onDocument, {})).toEqual([]);
  const restricted = await start("restricted");
  expect(await read(restricted, "frank", asViewer, { documentId })).toBe("access_denied");
  expect(await read(restricted, "frank", asViewer, { organizationId: "globex" })).toEqual([]);
  expect(await read(restricted, "frank", asViewer, { organizationId: "initech" })).toBe("access_denied");
});

test("a permission that ends in the token, or was removed, shows no users any more", async () => {
  const workspace = await start("public");
  const [resource] = asViewer?.resources ?? [];
  const expired = { resources: [{ ...Object(resource), expiresAt: 1 }] };
  expect(await read(workspace, "ada", expired, {})).toEqual([]);
  await workspace.data("/v2/auth/permissions/remove", {
    ...{ userId: "bob", permissions: { resources: [{ type: "organization", id: organizationId, organizationId }] } },
  });
  expect(await read(workspace, "bob", NO_GRANTS, {})).toEqual([]);
});

test("users are read in pages, and addresses only if the workspace shows them", async () => {
  const workspace = await start("organizationPrivate");
  await workspace.data("/v2/workspace/apikeyconfig/update", { showUserEmails: true });
  const token = await tokenFor(workspace, "ada");
  for (const request of [{}, { documentId }]) {
    const page = async (pageToken?: string) => {
      const asked = { organizationId, ...request, pageSize: 2, ...(pageToken !== undefined && { pageToken }) };
      return Object((await callWith(token, `${service.address}${GET}`, asked)).body).result;
    };
    const { data, nextPageToken } = await page();
    const [ada, bob] = ["ada", "bob"].map((id) => ({ ...profile(id), email: `${id}@example.com` }));
    expect(data).toEqual([ada, bob]);
    expect((await page(nextPageToken)).data).toHaveLength(1);
  }
});

test.each([
  { allDocuments: true },
  { folderId: "drafts" },
  { userIds: ["ada"] },
  { organizationUserGroupIds: ["all"] },
])("users cannot read those of %j", async (request) => {
  const workspace = await start("organizationPrivate");
  expect(await read(workspace, "ada", asViewer, request)).toBe("unknown_field");
});

import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { ORGANIZATIONS, readRecordIds } from "../../../test/organizations.ts";
import { getAccess, grant, removeGrant, resourceNamed } from "../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const EDITOR = { organization: "editor" };
const VIEWER = { organization: "viewer" };
const DENIED = { organization: "permission_denied" };

/** Creates a workspace in which the first tokens of users make them editors. */
async function automatic(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { requireAutoOrgUser: true });
  return workspace;
}

test("the first token with a permission on an organization makes the user its editor, for good", async () => {
  const workspace = await automatic();
  const resources = ["acme", "globex"].map((id) => ({ ...resourceNamed("organization", id), expiresAt: 1 }));
  await tokenFor(workspace, "ada", { resources });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual(["acme", "globex"]);
  for (const id of ["acme", "globex"]) expect(await getAccess(workspace, "ada", {}, id)).toEqual(EDITOR);
  expect(await getAccess(workspace, "grace")).toEqual(DENIED);
});

test("the v1 operation makes the first user an editor of its organization", async () => {
  const workspace = await automatic();
  const { apiKey, authToken } = workspace;
  const request = { apiKey, authToken, userId: "ada", userProperties: { organizationId: "acme" } };
  await callWith("", `${service.address}/v1/auth/token/get`, request);
  expect(await getAccess(workspace, "ada")).toEqual(EDITOR);
});

test("a permission that the user has stays, also an expired one, and a removed one is given again", async () => {
  const workspace = await automatic();
  await grant(workspace, "ada", "organization", "viewer");
  await grant(workspace, "grace", "organization", "editor", { expiresAt: 1 });
  for (const userId of ["ada", "grace"]) await tokenFor(workspace, userId);
  expect([await getAccess(workspace, "ada"), await getAccess(workspace, "grace")]).toEqual([VIEWER, DENIED]);
  await removeGrant(workspace, "ada", "organization");
  await tokenFor(workspace, "ada");
  expect(await getAccess(workspace, "ada")).toEqual(EDITOR);
});

test("a token for a folder or document alone gives nothing, nor does any without the setting", async () => {
  const [workspace, other] = [await automatic(), await service.workspace()];
  await grant(workspace, "grace", "document d");
  await grant(other, "grace", "document d");
  await tokenFor(workspace, "ada", { resources: [resourceNamed("document d"), resourceNamed("folder f")] });
  await tokenFor(other, "ada");
  for (const one of [workspace, other]) expect(await getAccess(one, "ada")).toEqual(DENIED);
});

test("concurrent first tokens give the permission once", async () => {
  const workspace = await automatic();
  await Promise.all(Array.from({ length: 8 }, () => tokenFor(workspace, "ada")));
  expect(await getAccess(workspace, "ada")).toEqual(EDITOR);
});

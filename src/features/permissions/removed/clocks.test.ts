import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { addActivities } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { callWith, getEditor, signClaims, tokenFor } from "../../../../test/user-tokens.ts";

const service = await startOwnTestService();

/** Removes the permission on the organization `acme`, which only tokens carry. */
function remove(workspace: TestWorkspace) {
  const permissions = { resources: [getEditor("acme")] };
  return workspace.data("/v2/auth/permissions/remove", { userId: "ada", permissions });
}

/** Creates a workspace in which only users with a permission read documents. */
async function closed(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await addActivities(workspace, ["a"], { documentId: "d" });
  return workspace;
}

/** Returns whether the list of documents has the document. No role is remembered for this list. */
async function canRead(token: string): Promise<boolean> {
  const url = `${service.address}/v2/organizations/documents/get`;
  return JSON.stringify((await callWith(token, url, { organizationId: "acme" })).body).includes('"d"');
}

test("a removal ends the permissions of the tokens before it, and no later ones, if the clock was ahead", async () => {
  const workspace = await closed();
  const first = await tokenFor(workspace, "ada");
  expect(await canRead(first)).toBe(true);
  await remove(workspace);
  await runSql(
    service.database,
    "update removed_token_grants set removed_at = removed_at + 3600000 where user_id = 'ada'",
  );
  const second = await tokenFor(workspace, "ada");
  expect(await Promise.all([first, second].map(canRead))).toEqual([false, true]);
  await remove(workspace);
  const third = await tokenFor(workspace, "ada");
  expect(await Promise.all([first, second, third].map(canRead))).toEqual([false, false, true]);
});

test("a removal ends the permissions of a token that was issued while the clock was ahead", async () => {
  const workspace = await closed();
  const { iat = 0, ...claims } = decodeJwt(await tokenFor(workspace, "ada"));
  const token = await signClaims(workspace.apiKey, { ...claims, iat: iat + 3600 });
  expect(await canRead(token)).toBe(true);
  await remove(workspace);
  expect(await canRead(token)).toBe(false);
});

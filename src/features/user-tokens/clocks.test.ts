import { decodeJwt } from "jose";
import { expect, onTestFinished, test, vi } from "vitest";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { signClaims, tokenFor } from "../../../test/user-tokens.ts";
import { deleteOldRevocations } from "./user-token-queries.ts";

const service = await startOwnTestService();

function revoke(workspace: TestWorkspace) {
  return workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
}

/** Returns whether the service rejects the token as revoked. */
async function isRevoked(token: string): Promise<boolean> {
  const response = await fetch(`${service.address}/v2/activities/get`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ data: { organizationId: "acme", documentId: "d" } }),
  });
  return (await response.text()).includes("user_token_revoked");
}

test("a revocation ends the tokens before it, and no later ones, if the database's clock was ahead", async () => {
  const workspace = await service.workspace();
  const first = await tokenFor(workspace, "ada");
  await revoke(workspace);
  const ahead = "update user_token_revocations set revoked_at = revoked_at + 3600000 where workspace_id = $1";
  await runSql(service.database, ahead, [workspace.id]);
  const second = await tokenFor(workspace, "ada");
  expect(await isRevoked(second)).toBe(false);
  await revoke(workspace);
  const third = await tokenFor(workspace, "ada");
  expect(await Promise.all([first, second, third].map(isRevoked))).toEqual([true, true, false]);
});

test("a revocation ends a token that was issued while the database's clock was ahead", async () => {
  const workspace = await service.workspace();
  const { iat = 0, ...claims } = decodeJwt(await tokenFor(workspace, "ada"));
  const token = await signClaims(workspace.apiKey, { ...claims, iat: iat + 3600 });
  expect(await isRevoked(token)).toBe(false);
  await revoke(workspace);
  expect(await isRevoked(token)).toBe(true);
});

test("a revocation is kept until its tokens have expired, also if the database's clock is ahead", async () => {
  const workspace = await service.workspace();
  const token = await tokenFor(workspace, "ada");
  await revoke(workspace);
  const old = "update user_token_revocations set revoked_at = revoked_at - 70000 where workspace_id = $1";
  await runSql(service.database, old, [workspace.id]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await deleteOldRevocations(service.database, 60_000, 1_000);
  vi.useRealTimers();
  expect(await isRevoked(token)).toBe(true);
});

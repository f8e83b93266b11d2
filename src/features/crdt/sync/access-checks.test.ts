import { expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, silentLog } from "../../../../test/harness.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import { AccessChecks } from "./access-checks.ts";

const NONE = { organizations: () => new Set<OrganizationKey>(), accessChanged: () => {}, accessLost: () => {} };

test("access is checked again after a check has failed", async () => {
  const { database } = await createTestDatabase();
  const connections = vi.fn(() => {
    throw new Error("no connections can be listed");
  });
  const subscribe = () => {
    throw new Error("nobody is watched");
  };
  const checks = new AccessChecks({ database, log: silentLog, subscribe, connections, ...NONE });
  onTestFinished(() => checks.stop());
  await expect.poll(() => connections.mock.calls.length).toBeGreaterThan(2);
});

test("a connection that opens after its token has ended is closed", async () => {
  const { database } = await createTestDatabase();
  const close = vi.fn();
  const authenticate = async () => {
    throw new ServiceError("user_token_expired", "The token has expired.");
  };
  const context = { token: "token", ref: {}, organizationKey: "key", user: { expiresAt: 0, grants: [] } };
  const connection = { readOnly: false, close, context: { ...context, caller: { authenticate } } };
  const connections = vi.fn(() => (connections.mock.calls.length < 3 ? [] : [Object(connection)]));
  const subscribe = () => {
    throw new Error("nobody is watched");
  };
  const checks = new AccessChecks({ database, log: silentLog, subscribe, connections, ...NONE });
  onTestFinished(() => checks.stop());
  await expect.poll(() => close.mock.calls).toEqual([[{ code: 1008, reason: "user_token_expired" }]]);
  expect(connection.readOnly).toBe(true);
});

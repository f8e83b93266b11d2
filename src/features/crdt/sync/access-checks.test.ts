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

test("a connection whose token has ended connects again, also if it opens after that", async () => {
  const { database } = await createTestDatabase();
  const close = vi.fn();
  const authenticate = async () => {
    throw new ServiceError("user_token_expired", "The token has expired.");
  };
  const socket = { close: vi.fn() };
  const context = { socket, token: "token", ref: {}, organizationKey: "key", user: { expiresAt: 0, grants: [] } };
  const connection = { readOnly: false, close, context: { ...context, caller: { authenticate } } };
  const connections = vi.fn(() => (connections.mock.calls.length < 3 ? [] : [Object(connection)]));
  const subscribe = () => {
    throw new Error("nobody is watched");
  };
  const checks = new AccessChecks({ database, log: silentLog, subscribe, connections, ...NONE });
  onTestFinished(() => checks.stop());
  await expect.poll(() => socket.close.mock.calls).toEqual([[1012, "user_token_expired"]]);
  expect(close).not.toHaveBeenCalled();
  expect(connection.readOnly).toBe(true);
});

test.each([
  { isConnected: true, closings: [[1012, "role_changed"]] },
  { isConnected: false, closings: [] },
])("a read-only connection of an editor connects again, but not if it is closed ($isConnected)", async (row) => {
  const { database } = await createTestDatabase();
  const socket = { close: vi.fn() };
  const findRole = vi.fn(async () => "editor");
  const caller = { authenticate: async () => ({}), findRole };
  const context = {
    socket,
    token: "token",
    ref: {},
    organizationKey: "key",
    user: { expiresAt: 0, grants: [] },
    caller,
  };
  const connection = { readOnly: true, context, document: { hasConnection: () => row.isConnected } };
  const subscribe = () => {
    throw new Error("nobody is watched");
  };
  const connections = () => [Object(connection)];
  const checks = new AccessChecks({ database, log: silentLog, subscribe, connections, ...NONE });
  onTestFinished(() => checks.stop());
  await expect.poll(() => findRole.mock.calls.length).toBe(1);
  await expect.poll(() => socket.close.mock.calls).toEqual(row.closings);
});

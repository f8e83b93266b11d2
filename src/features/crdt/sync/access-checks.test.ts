import { expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, silentLog } from "../../../../test/harness.ts";
import { AccessChecks } from "./access-checks.ts";

test("access is checked again after a check has failed", async () => {
  const { database } = await createTestDatabase();
  const connections = vi.fn(() => {
    throw new Error("no connections can be listed");
  });
  const subscribe = () => {
    throw new Error("nobody is watched");
  };
  const none = { organizations: () => new Set<string>(), accessChanged: () => {}, accessLost: () => {} };
  const checks = new AccessChecks({ database, log: silentLog, subscribe, connections, ...none });
  onTestFinished(() => checks.stop());
  await expect.poll(() => connections.mock.calls.length).toBeGreaterThan(2);
});

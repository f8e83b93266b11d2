import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { hasChangedNothing, isPoolBusy } from "./failures.ts";

test("a statement that waits too long for a connection has changed nothing, and its server is not away", async () => {
  const { connectionString } = await createTestDatabase();
  const connection = { connectionString, connectionTimeoutMillis: 100 };
  const pool = new ConnectionPool({ connection, max: 1, log: silentLog });
  onTestFinished(() => pool.close());
  const held = await pool.hold();
  const failure: unknown = await pool.execute({ text: "select 1", values: [] }).catch((error: unknown) => error);
  held.release();
  expect({ isBusy: isPoolBusy(failure), isUnchanged: hasChangedNothing(failure) }).toEqual({
    isBusy: true,
    isUnchanged: true,
  });
});

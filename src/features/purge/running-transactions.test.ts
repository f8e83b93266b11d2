import pg from "pg";
import { expect, inject, test } from "vitest";
import { startOwnTestService } from "../../../test/harness.ts";
import { databaseUrl, getDatabaseName } from "../../../test/servers.ts";
import { selectRunningTransactions } from "./purge-queries.ts";

test.each(inject("serverUrls"))("a transaction on %s is running until it ends", async (url) => {
  const { database, config } = await startOwnTestService();
  const client = new pg.Client(databaseUrl(url, getDatabaseName(config.databaseUrl)));
  await client.connect();
  try {
    await client.query("begin");
    const select = "select virtualtransaction from pg_locks where locktype = 'virtualxid' and pid = pg_backend_pid()";
    const { virtualtransaction } = (await client.query(select)).rows[0];
    const isCoordinator = url === inject("serverUrls")[0];
    const ending = `${isCoordinator ? "coordinator" : `:${new URL(url).port}`} ${virtualtransaction}`;
    const isRunning = async () =>
      [...(await database.run(selectRunningTransactions))].some((running) => running.endsWith(ending));
    expect(await isRunning()).toBe(true);
    await client.query("rollback");
    expect(await isRunning()).toBe(false);
  } finally {
    await client.end();
  }
});

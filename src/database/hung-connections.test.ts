import { once } from "node:events";
import { type AddressInfo, createServer, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { startDatabaseProxy } from "../../test/database-proxy.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { HungConnections } from "./hung-connections.ts";

/** Length of a result that fits into the buffers of no connection. */
const RESULT_BYTES = 100_000_000;

/** Messages of PostgreSQL's protocol: a type, the length of the rest, and the rest. */
const AUTHENTICATED = getMessage("R", "\0\0\0\0");
const READY = getMessage("Z", "I");
const SHUTDOWN = getMessage("E", "SFATAL\0C57P01\0Mterminating connection\0\0");

function getMessage(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

test("a statement whose result is read slowly goes on, and one whose result is not read at all fails", async () => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  const proxy = await startDatabaseProxy(connectionString);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const connections = new HungConnections(() => ({ connectionString: proxy.url }), silentLog);
  onTestFinished(() => connections.stop());
  const socket = new Socket();
  const client = new (connections.clientClass(() => socket))({ connectionString: proxy.url });
  await client.connect();
  onTestFinished(() => client.end());
  const [failed, result] = [vi.fn(), connections.query(client, { text: `select repeat('x', ${RESULT_BYTES})` })];
  result.catch(failed);

  const countChecks = () => proxy.countSent("from pg_stat_activity");
  async function passTimeUntil(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      vi.advanceTimersByTime(1_000);
      await setImmediate();
    }
  }
  for (const count of [1, 2, 3, 4]) {
    socket.resume();
    await once(socket, "data");
    socket.pause();
    await passTimeUntil(() => countChecks() === count);
  }
  expect(failed).not.toHaveBeenCalled();
  await passTimeUntil(() => failed.mock.calls.length > 0);
  await expect(result).rejects.toThrow("the database has not responded for several seconds");
});

test("an error that arrives in the packet that ends the log-in does not end the process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUTDOWN])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const connection = { host: "127.0.0.1", port, user: "u", database: "d" };
  const pool = new ConnectionPool({ connection, settings: {}, max: 1, log: silentLog });
  onTestFinished(() => pool.close());
  await expect(pool.execute({ text: "select", values: [] })).rejects.toThrow("terminating connection");
});

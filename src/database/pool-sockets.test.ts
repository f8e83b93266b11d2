import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { registerCleanup } from "../../test/cleanup.ts";
import { DatabaseUnresponsiveError } from "./database-errors.ts";
import { PoolSockets } from "./pool-sockets.ts";

test("no connection reaches a database that counts as unreachable, on a Unix socket too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-socket-"));
  registerCleanup(() => rm(folder, { recursive: true }));
  const path = join(folder, "socket");
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    socket.end();
  }).listen(path);
  registerCleanup(() => void server.close());
  await once(server, "listening");
  const sockets = new PoolSockets();
  sockets.setReachable(false);
  const failed = sockets.create().connect(path);
  const [error] = await once(failed, "error").catch((cause) => [cause]);
  expect(error).toBeInstanceOf(DatabaseUnresponsiveError);
  sockets.setReachable(true);
  const connected = sockets.create().connect(path);
  await once(connected.resume(), "close");
  expect(accepted).toBe(1);
});

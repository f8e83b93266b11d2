import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../test/harness.ts";
import { readConfig } from "../config/config.ts";
import { type Listener, openListener } from "./listener.ts";

/** An address for documentation, which no machine has. */
const MISSING_ADDRESS = "192.0.2.1";

/** Opens a listener on HOST=localhost on a machine on which it has these addresses. */
async function listenOnLocalhost(port: number, addresses: string[]): Promise<Listener> {
  const resources = new AsyncDisposableStack();
  onTestFinished(() => resources.disposeAsync());
  const config = readConfig({ HOST: "localhost", PORT: String(port) });
  const context = { config, log: silentLog, resources };
  return openListener(context, async () => addresses.map((address) => ({ address })));
}

test("HOST=localhost is reached at each of its addresses that the machine has", async () => {
  const { address } = await listenOnLocalhost(0, ["127.0.0.1", MISSING_ADDRESS, "127.0.0.2"]);
  for (const hostname of ["127.0.0.1", "127.0.0.2"]) {
    const url = Object.assign(new URL("/healthz", address), { hostname });
    expect((await fetch(url)).status).toBe(200);
  }
});

test("a port that is taken on the second address of localhost fails the start", async () => {
  const other = createServer().listen(0, "127.0.0.2");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = Object(other.address());
  await expect(listenOnLocalhost(port, ["127.0.0.1", "127.0.0.2"])).rejects.toThrow(
    `Cannot listen on HOST localhost and PORT ${port} (listen EADDRINUSE`,
  );
});

test("HEAD /healthz is 200 during a start, and everything else UNAVAILABLE", async () => {
  const { address } = await listenOnLocalhost(0, ["127.0.0.1"]);
  expect((await fetch(`${address}/healthz`, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${address}/healthz`, { method: "POST" })).status).toBe(503);
  expect((await fetch(`${address}/readyz`)).status).toBe(503);
});

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { registerCleanup } from "../../test/cleanup.ts";
import { RawConnection, requestText } from "../../test/raw-connection.ts";
import { registerRequestGate } from "./request-gate.ts";

/** Starts a server whose gate lets one request of a caller pass at a time. Requests that pass get no answer yet. */
async function startGatedServer() {
  let refusals = 0;
  const passed: ServerResponse[] = [];
  const server = createServer((_, response) => void passed.push(response));
  registerRequestGate(server, {
    limits: { gate: { maxWaiting: 10, maxWaitMs: 60_000 } },
    maxConcurrentRequests: 1,
    authHeaderBrands: [],
    countRefusal: () => refusals++,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  registerCleanup(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { server, address: `http://127.0.0.1:${port}`, passed, refusals: () => refusals };
}

test("a client that leaves while it waits is not counted as refused", async () => {
  const { server, address, passed, refusals } = await startGatedServer();
  const [first, leaving] = [await RawConnection.open(address), await RawConnection.open(address)];
  const request = requestText("/", {}, "{}");
  const firstRequest = once(server, "request");
  await first.send(request);
  const [, response] = await firstRequest;
  const waitingRequest = once(server, "request");
  await leaving.send(request);
  const [{ socket }] = await waitingRequest;
  leaving.socket.destroy();
  await once(socket, "close");
  response.end("{}");
  await once(response, "close");
  // The request that has waited was looked at before this one.
  await first.send(request);
  await expect.poll(() => passed.length).toBe(2);
  expect(refusals()).toBe(0);
});

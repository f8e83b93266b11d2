import { createHash } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";

const READ = "/v2/activities/get";
const MIB = 1024 * 1024;
/** More than the buffers of the system hold for a connection. */
const RESPONSE_BYTES = 8 * MIB;

type Service = Awaited<ReturnType<typeof startOwnTestService>>;

/** Starts a service whose limits of unsent responses are these. */
function serviceWith(maxBytes: number, always: number, whenFull: number): Promise<Service> {
  return startOwnTestService(({ limits }) => ({
    limits: { ...limits, unsentResponses: { maxBytes, stalledMs: { always, whenFull } } },
  }));
}

async function workspaceWithLongResponse(service: Service): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const entityData = "x".repeat(MIB);
  for (let bytes = 0; bytes < RESPONSE_BYTES; bytes += MIB) await addActivities(workspace, [{ entityData }]);
  return workspace;
}

/** Asks for the long response and reads no more than its beginning. */
async function askWithoutReading(service: Service, { headers }: TestWorkspace): Promise<RawConnection> {
  const connection = await RawConnection.open(service.address);
  await connection.send(requestText(READ, headers, JSON.stringify({ data: SCOPE })));
  await once(connection.socket, "data");
  connection.socket.pause();
  return connection;
}

/** Resolves when the service has closed the connection. Line ends between requests have no effect on an open one. */
async function expectClosed(connection: RawConnection): Promise<void> {
  const send = () =>
    connection.send("\r\n").then(
      () => "open",
      () => "closed",
    );
  await expect.poll(send).toBe("closed");
}

test("a client that does not read its response is cut off, and others are served meanwhile", async () => {
  const service = await serviceWith(1024 * MIB, 300, 100);
  const workspace = await workspaceWithLongResponse(service);
  const connection = await askWithoutReading(service, workspace);
  expect(await workspace.call("/v2/workspace/domains/get", {})).toMatchObject({ httpStatus: 200 });
  await expectClosed(connection);
});

test("when unread responses of a caller take too much memory, the one stalled longest is cut off", async () => {
  const service = await serviceWith(6.5 * RESPONSE_BYTES, 60_000, 50);
  const workspace = await workspaceWithLongResponse(service);
  const first = await askWithoutReading(service, workspace);
  const { socket } = await askWithoutReading(service, workspace);
  await expect.poll(() => workspace.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });
  await expectClosed(first);
  socket.destroy();
});

test("a caller that reads no responses leaves room for those of others", async () => {
  const service = await serviceWith(4.5 * RESPONSE_BYTES, 60_000, 60_000);
  const [workspace, other] = [await workspaceWithLongResponse(service), await workspaceWithLongResponse(service)];
  const connections: RawConnection[] = [];
  for (let count = 0; count < 5; count++) connections.push(await askWithoutReading(service, workspace));
  expect(await workspace.call(READ, SCOPE)).toMatchObject({ httpStatus: 503 });
  expect(await other.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });
  for (const { socket } of connections) socket.destroy();
});

test("if no client has stalled, a response without room is UNAVAILABLE and small ones are served", async () => {
  const service = await serviceWith(1.5 * RESPONSE_BYTES, 60_000, 60_000);
  const workspace = await workspaceWithLongResponse(service);
  const { socket } = await askWithoutReading(service, workspace);
  const overloaded = { httpStatus: 503, body: { error: { details: { reason: "overloaded" } } } };
  await expect.poll(() => workspace.call(READ, SCOPE)).toMatchObject(overloaded);
  expect(await workspace.call("/v2/workspace/domains/get", {})).toMatchObject({ httpStatus: 200 });
  socket.destroy();
  await expect.poll(() => workspace.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });
});

test("a compressed response without room is an error that the client can read", async () => {
  const service = await serviceWith(1.5 * RESPONSE_BYTES, 60_000, 60_000);
  const workspace = await workspaceWithLongResponse(service);
  const { socket } = await askWithoutReading(service, workspace);
  const digests = Array.from({ length: 2_000 }, (_, number) => createHash("sha512").update(`${number}`).digest("hex"));
  const place = { ...SCOPE, documentId: "digests" };
  await addActivities(workspace, [{ entityData: digests.join("") }], place);
  const headers = { ...workspace.headers, "content-type": "application/json", "accept-encoding": "br" };
  const request = { method: "POST", headers, body: JSON.stringify({ data: place }) };
  const response = await fetch(`${service.address}${READ}`, request);
  expect(await response.json()).toMatchObject({ error: { details: { reason: "overloaded" } } });
  socket.destroy();
});

test("a request whose headers or body do not arrive in time is closed", async () => {
  const service = await startOwnTestService(({ limits }) => ({
    limits: { ...limits, receiving: { maxMs: 3_000, checkIntervalMs: 50 } },
  }));
  const { headers } = await service.workspace();
  for (const start of [
    "POST /v2/activities/get HTTP/1.1\r\nhost: a\r\n",
    requestText(READ, { ...headers, "content-length": "9" }, "{"),
  ]) {
    const connection = await RawConnection.open(service.address);
    await connection.send(start);
    expect(await connection.respond()).toMatchObject({ httpStatus: 408 });
  }
});

import { expect, onTestFinished, test } from "vitest";
import { SCOPE } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";

const READ = "/v2/activities/get";
/** Public, so that its body is read before the caller is known. */
const PUBLIC = "/v1/auth/token/get";
/** More than all places. */
const CONNECTIONS = 12;
const DATA = JSON.stringify({ data: SCOPE });

const service = await startOwnTestService(({ limits }) => ({
  maxConcurrentRequests: 2,
  // Rejections of wrong credentials wait for longer than the tests.
  limits: { ...limits, wrongCredentials: { burst: 1, perSecond: 0.001, delayMs: 60_000 } },
}));
const backend = await service.workspace();
expect(await backend.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });

/** Sends a request over each of several connections, which stay open until the test has ended. */
async function sendMany(buildRequest: (index: number) => string): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(service.address)));
  onTestFinished(() => {
    for (const { socket } of connections) socket.destroy();
  });
  for (const [index, connection] of connections.entries()) await connection.send(buildRequest(index));
  // The service has read what came before it reads these.
  for (let call = 0; call < 3; call++) await fetch(`${service.address}/healthz`);
  return connections;
}

/** Returns the text of a request of which not all of so many bytes of the body arrive. */
function unfinished(path: string, headers: Record<string, string>, length = 100_000): string {
  return requestText(path, { "content-length": String(length), ...headers }, DATA);
}

async function expectServed({ headers }: Pick<TestWorkspace, "headers">): Promise<void> {
  const connection = await RawConnection.open(service.address);
  await connection.send(requestText(READ, headers, DATA));
  expect(await connection.respond()).toMatchObject({ httpStatus: 200 });
  connection.socket.destroy();
}

test("unfinished bodies of strangers take no places, whatever their headers say", async () => {
  await sendMany((index) => unfinished(PUBLIC, { cookie: `number=${index}`, authorization: `Basic ${index}` }, 10_000));
  await expectServed(backend);
});

test("rejected requests whose clients continue to send take no places", async () => {
  const rejected = await sendMany((index) => unfinished(READ, { cookie: `number=${index}` }));
  for (const connection of rejected) expect(await connection.respond()).toMatchObject({ httpStatus: 403 });
  await expectServed(backend);
});

test("rejections of wrong credentials take no places while they wait", async () => {
  const buildHeaders = (index: number) => ({ ...backend.headers, "x-service-auth-token": `wrong ${index}` });
  await sendMany((index) => requestText(READ, buildHeaders(index), DATA));
  await expectServed(backend);
});

test("rejections of wrong credentials in a body take no places while they wait", async () => {
  const buildBody = (index: number) => ({ apiKey: backend.apiKey, authToken: `wrong ${index}`, userId: "ada" });
  await sendMany((index) => requestText(PUBLIC, {}, JSON.stringify({ data: buildBody(index) })));
  await expectServed(backend);
});

test("slow bodies of a caller take no places, so others with its token are served", async () => {
  await sendMany(() => unfinished(READ, backend.headers));
  await expectServed(backend);
});

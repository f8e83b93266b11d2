import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { activity, addActivities, readActivityIds, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";

const ADD = "/v2/activities/add";
const service = await startTestService();

async function connect(): Promise<RawConnection> {
  const connection = await RawConnection.open(service.address);
  onTestFinished(() => void connection.socket.destroy());
  return connection;
}

function buildBody(id: string): string {
  return JSON.stringify({ data: { ...SCOPE, activities: [activity({ id, entityData: "é".repeat(100) })] } });
}

function addText({ headers }: TestWorkspace, id: string, further: Record<string, string> = {}): string {
  return requestText(ADD, { ...headers, ...further }, buildBody(id));
}

/** Fails unless the service responds to another client. */
async function expectOthersServed(workspace: TestWorkspace): Promise<void> {
  await addActivities(workspace, ["of another caller"]);
  expect(await readActivityIds(workspace, { activityIds: ["of another caller"] })).toHaveLength(1);
}

test("a client that sends its body byte by byte gets a response, and other clients get theirs meanwhile", async () => {
  const [workspace, other, slow] = await Promise.all([service.workspace(), service.workspace(), connect()]);
  const bytes = Buffer.from(addText(workspace, "slow"));
  const half = Math.floor(bytes.length / 2);
  for (const byte of bytes.subarray(0, half)) await slow.send(Buffer.of(byte));
  await expectOthersServed(other);
  for (const byte of bytes.subarray(half)) await slow.send(Buffer.of(byte));
  expect(await slow.respond()).toMatchObject({ httpStatus: 200, body: { result: { status: "success" } } });
  expect(await readActivityIds(workspace)).toEqual(["slow"]);
});

test("100 clients that never finish their bodies do not delay other clients", async () => {
  const workspace = await service.workspace();
  for (let client = 0; client < 100; client++) {
    const text = addText(workspace, `half-${client}`);
    await (await connect()).send(text.slice(0, -50));
  }
  await expectOthersServed(workspace);
  expect(await readActivityIds(workspace)).toEqual(["of another caller"]);
});

test("a client that disconnects in the middle of its body stores nothing", async () => {
  const [workspace, leaving] = await Promise.all([service.workspace(), connect()]);
  await leaving.send(addText(workspace, "half").slice(0, -50));
  leaving.socket.resetAndDestroy();
  await once(leaving.socket, "close");
  await expectOthersServed(workspace);
  expect(await readActivityIds(workspace)).toEqual(["of another caller"]);
});

test("calls of clients that disconnect before their responses are stored completely or not at all", async () => {
  const workspace = await service.workspace();
  for (let client = 0; client < 20; client++) {
    const leaving = await connect();
    const activities = ["first", "second"].map((name) => activity({ id: `${client} ${name}` }));
    await leaving.send(requestText(ADD, workspace.headers, JSON.stringify({ data: { ...SCOPE, activities } })));
    leaving.socket.destroy();
  }
  await expectOthersServed(workspace);
  const ids = new Set(await readActivityIds(workspace));
  for (let client = 0; client < 20; client++) expect(ids.has(`${client} first`)).toBe(ids.has(`${client} second`));
});

test("a truncated body is INVALID_ARGUMENT and nothing is stored", async () => {
  const [workspace, client] = await Promise.all([service.workspace(), connect()]);
  const body = buildBody("cut");
  await client.send(requestText(ADD, { ...workspace.headers, "content-length": `${body.length + 500}` }, body));
  client.socket.end();
  const { httpStatus, headers, body: response } = await client.respond();
  expect(response).toMatchObject({ error: { status: "INVALID_ARGUMENT", details: { reason: "request_invalid" } } });
  expect(httpStatus).toBe(400);
  expect(headers.get("x-request-id")).toBeTruthy();
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("bytes beyond the content length are rejected and not stored", async () => {
  const [workspace, client] = await Promise.all([service.workspace(), connect()]);
  await client.send(`${addText(workspace, "counted")}${buildBody("behind")}`);
  expect(await client.respond()).toMatchObject({ httpStatus: 400, body: { error: { status: "INVALID_ARGUMENT" } } });
  expect(await readActivityIds(workspace)).not.toContain("behind");
});

test("an unsupported Expect header is rejected with a JSON error and a request ID", async () => {
  const client = await connect();
  await client.send(requestText(ADD, { expect: "miracle" }, "{}"));
  const { httpStatus, headers, body } = await client.respond();
  expect(body).toMatchObject({ error: { status: "INVALID_ARGUMENT", details: { reason: "expectation_unmet" } } });
  expect(httpStatus).toBe(417);
  expect(headers.get("x-request-id")).toBeTruthy();
});

test.each([
  ["a text that is not HTTP", "hello\r\n\r\n", "request_invalid"],
  ["TLS without support", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), "request_invalid"],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "request_invalid"],
  ["a method that Node does not know", "FOO /v2/activities/get HTTP/1.1\r\nhost: x\r\n\r\n", "method_not_allowed"],
  ["QUERY", "QUERY /v2/activities/get HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", "method_not_allowed"],
  ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n", "method_not_allowed"],
  ["a header without a colon", "POST / HTTP/1.1\r\nhost: x\r\nnonsense\r\n\r\n", "request_invalid"],
  [
    "headers larger than 16 KiB",
    `POST / HTTP/1.1\r\nhost: x\r\nx-large: ${"x".repeat(20_000)}\r\n\r\n`,
    "headers_too_large",
  ],
  ["no host", "POST /v2/activities/get HTTP/1.1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", "request_invalid"],
  [
    "two hosts",
    "POST /v2/activities/get HTTP/1.1\r\nhost: x\r\nHost: y\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    "request_invalid",
  ],
  ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}", "request_invalid"],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}",
    "request_invalid",
  ],
  [
    "chunks that are encoded again, whose end cannot be known",
    "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "request_invalid",
  ],
])("%s gets a JSON error and a request ID, and other clients are served", async (_title, bytes, reason) => {
  const [workspace, client] = await Promise.all([service.workspace(), connect()]);
  await client.send(bytes);
  const { httpStatus, headers, body } = await client.respond();
  expect(body).toMatchObject({ error: { status: "INVALID_ARGUMENT", details: { reason } } });
  expect(httpStatus).toBe(reason === "method_not_allowed" ? 405 : 400);
  expect(headers.get("allow")).toBe(reason === "method_not_allowed" ? "POST" : undefined);
  expect(headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  await client.expectEnd();
  await expectOthersServed(workspace);
});

test.each(["/v2/activities/get", "/v2/activities/get?a=1", "/v2/events/stream", "/v2/unknown", "/healthz", "/", "//"])(
  "a method that Node does not know gets the same response for the path %s as PUT",
  async (path) => {
    const responses = [];
    for (const method of ["PUT", "FOO"]) {
      const client = await connect();
      await client.send(`${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      const { httpStatus, headers, body } = await client.respond();
      responses.push({ httpStatus, allow: headers.get("allow"), body });
      await client.expectEnd();
    }
    expect(responses[1]).toEqual(responses[0]);
  },
);

test.each(["gzip", "gzip, chunked", "identity", "xchunked", "chunked;q=1"])(
  "the transfer coding %s gets one response, with 501",
  async (coding) => {
    const [workspace, client] = await Promise.all([service.workspace(), connect()]);
    const headers = { ...workspace.headers, "transfer-encoding": coding, connection: "close" };
    await client.send(requestText(ADD, headers, "2\r\n{}\r\n0\r\n\r\n"));
    const { httpStatus, body } = await client.respond();
    expect(httpStatus).toBe(501);
    expect(body).toMatchObject({
      error: { status: "INVALID_ARGUMENT", details: { reason: "transfer_coding_unknown" } },
    });
    await client.expectEnd();
    await expectOthersServed(workspace);
  },
);

/** Returns a chunk of a body with chunked transfer encoding. */
function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

test("a body with chunked encoding is read like any other", async () => {
  const [workspace, client] = await Promise.all([service.workspace(), connect()]);
  const bytes = Buffer.from(buildBody("chunked"));
  await client.send(requestText(ADD, { ...workspace.headers, "transfer-encoding": "chunked" }, ""));
  for (const part of [bytes.subarray(0, 150), bytes.subarray(150), Buffer.of()]) await client.send(chunk(part));
  expect(await client.respond()).toMatchObject({ httpStatus: 200 });
  expect(await readActivityIds(workspace)).toEqual(["chunked"]);
});

test("a body with an invalid chunk is INVALID_ARGUMENT and nothing is stored", async () => {
  const [workspace, client] = await Promise.all([service.workspace(), connect()]);
  await client.send(requestText(ADD, { ...workspace.headers, "transfer-encoding": "chunked" }, ""));
  await client.send(chunk(Buffer.from(buildBody("chunked"))));
  await client.send("no size\r\n");
  expect(await client.respond()).toMatchObject({ httpStatus: 400, body: { error: { status: "INVALID_ARGUMENT" } } });
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("one connection serves several requests in sequence, including rejected ones", async () => {
  const [workspace, client] = await Promise.all([service.workspace(), connect()]);
  const stranger = requestText(
    ADD,
    { "x-service-api-key": "unknown", "x-service-auth-token": "wrong" },
    buildBody("c"),
  );
  const statuses: number[] = [];
  for (const text of [
    addText(workspace, "a"),
    stranger,
    requestText(ADD, workspace.headers, "{}"),
    addText(workspace, "b"),
  ]) {
    await client.send(text);
    statuses.push((await client.respond()).httpStatus);
  }
  expect(statuses).toEqual([200, 403, 400, 200]);
  expect(await readActivityIds(workspace)).toEqual(["a", "b"]);
});

test("pipelined requests get their responses in order", async () => {
  const [workspace, client] = await Promise.all([service.workspace(), connect()]);
  const ids = Array.from({ length: 20 }, (_, index) => `activity-${index}`);
  await client.send(ids.map((id, index) => addText(workspace, id, { "x-request-id": `request-${index}` })).join(""));
  const responses: unknown[] = [];
  for (const _ of ids) {
    const { httpStatus, headers } = await client.respond();
    responses.push([httpStatus, headers.get("x-request-id")]);
  }
  expect(responses).toEqual(ids.map((_, index) => [200, `request-${index}`]));
  expect((await readActivityIds(workspace)).toSorted()).toEqual(ids.toSorted());
});

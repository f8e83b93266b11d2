import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { activity } from "../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../test/harness.ts";
import { chooseCoding, MIN_COMPRESSED_BYTES } from "./compression.ts";

const PLACE = { organizationId: "acme", documentId: "contract-7" };
const GET = "/v2/activities/get";
const service = await startTestService();

/** Adds activities whose page has about as many KiB. */
async function addPage(workspace: TestWorkspace, kib: number): Promise<void> {
  const activities = Array.from({ length: kib }, (_, number) =>
    activity({ id: `activity-${number}`, entityData: `${number} `.repeat(256).slice(0, 1024) }),
  );
  await workspace.data("/v2/activities/add", { ...PLACE, activities });
}

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request without the headers that `fetch` adds, and does not decode the response. */
async function send(workspace: TestWorkspace, path: string, data: object, headers = {}): Promise<Received> {
  const sent = request(`${service.address}${path}`, {
    method: "POST",
    headers: { ...workspace.headers, "content-type": "application/json", ...headers },
  });
  sent.end(JSON.stringify({ data }));
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (!response) throw new Error("there is no response");
  return { headers: response.headers, body: await buffer(response) };
}

test("a large response is compressed by the coding that the client prefers, and reads the same", async () => {
  const workspace = await service.workspace();
  await addPage(workspace, 200);
  const plain = await send(workspace, GET, PLACE);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.headers.vary).toBe("Origin, Accept-Encoding");
  const brotli = await send(workspace, GET, PLACE, { "accept-encoding": "gzip, deflate, br" });
  expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "Origin, Accept-Encoding" });
  expect(Number(brotli.headers["content-length"])).toBe(brotli.body.length);
  expect(brotli.body.length).toBeLessThan(plain.body.length / 4);
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
  const gzip = await send(workspace, GET, PLACE, { "accept-encoding": "gzip" });
  expect(gzip.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
});

test("a small response, and one whose client does not ask, are not compressed", async () => {
  const workspace = await service.workspace();
  await addPage(workspace, 24);
  const small = await send(workspace, GET, PLACE, { "accept-encoding": "br" });
  expect(small.body.length).toBeGreaterThan(16 * 1024);
  expect(small.body.length).toBeLessThan(MIN_COMPRESSED_BYTES);
  expect(small.headers).toMatchObject({ vary: "Origin" });
  expect(small.headers["content-encoding"]).toBeUndefined();
});

test.each([
  ["gzip, deflate, br", "br"],
  ["GZIP;q=0.5", "gzip"],
  ["br;q=0, gzip;q=1.0", "gzip"],
  ["br; q=0.0, gzip;q=0", undefined],
  ["identity", undefined],
  ["deflate, zstd", undefined],
  ["", undefined],
  [undefined, undefined],
])("Accept-Encoding %j leads to %s", (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

test("a response that is repeated for an Idempotency-Key is compressed for the client that repeats", async () => {
  const workspace = await service.workspace();
  const activities = Array.from({ length: 500 }, (_, number) => ({ id: `${"unknown".repeat(30)}-${number}` }));
  const data = { organizationId: "acme", activities };
  const key = { "idempotency-key": "once" };
  const path = "/v2/activities/update";
  const first = await send(workspace, path, data, key);
  const repeated = await send(workspace, path, data, { ...key, "accept-encoding": "br" });
  expect(first.body.length).toBeGreaterThan(MIN_COMPRESSED_BYTES);
  expect(repeated.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(repeated.body).equals(first.body)).toBe(true);
});

test("clients that ask for more than the threads compress at a time get the rest as it is", async () => {
  const workspace = await service.workspace();
  await addPage(workspace, 400);
  const headers = { "accept-encoding": "br" };
  const responses = await Promise.all(Array.from({ length: 12 }, () => send(workspace, GET, PLACE, headers)));
  const bodies = responses.map(({ headers: { "content-encoding": coding }, body }) =>
    coding === "br" ? brotliDecompressSync(body) : body,
  );
  const [first = Buffer.of()] = bodies;
  expect(bodies.every((body) => body.equals(first))).toBe(true);
  expect(responses.some(({ headers: { "content-encoding": coding } }) => coding === "br")).toBe(true);
});

test("event streams are not compressed", async () => {
  const workspace = await service.workspace();
  const url = `${service.address}/v2/events/stream?organizationId=acme`;
  const sent = request(url, { headers: { ...workspace.headers, "accept-encoding": "br, gzip" } });
  sent.end();
  const [response]: IncomingMessage[] = await once(sent, "response");
  expect(response?.headers["content-type"]).toContain("text/event-stream");
  expect(response?.headers["content-encoding"]).toBeUndefined();
  sent.destroy();
});

test("a response that is compressed already, such as the OpenAPI document, is not compressed again", async () => {
  const response = await fetch(`${service.address}/openapi.json`, { headers: { "accept-encoding": "gzip, br" } });
  expect(await response.json()).toMatchObject({ openapi: expect.any(String) });
});

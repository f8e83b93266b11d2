import { expect, test } from "vitest";
import { startOwnTestService } from "../../test/harness.ts";

const HSTS = "strict-transport-security";
const ONE_YEAR = "max-age=31536000";
const plain = await startOwnTestService(() => ({ trustProxy: "127.0.0.1" }));
const byTls = await startOwnTestService(() => ({ publicUrl: "https://colloquy.example" }));

async function getHeader(url: string, init: RequestInit = {}): Promise<string | null> {
  const { headers } = await fetch(url, { redirect: "manual", ...init });
  return headers.get(HSTS);
}

test.each<[path: string, init?: RequestInit]>([
  ["/console"],
  ["/docs"],
  ["/healthz"],
  ["/", { headers: { accept: "text/html" } }],
  ["/v2/activities/get", { method: "POST" }],
  ["/v2/unknown", { method: "POST" }],
])("behind TLS, %s makes browsers use TLS only", async (path, init) => {
  expect(await getHeader(`${byTls.address}${path}`, init)).toBe(ONE_YEAR);
});

test("the response to a request that a trusted proxy received by TLS has the same header, and no other", async () => {
  const url = `${plain.address}/console`;
  expect(await getHeader(url, { headers: { "x-forwarded-proto": "https" } })).toBe(ONE_YEAR);
  expect(await getHeader(url, { headers: { "x-forwarded-proto": "http" } })).toBeNull();
  expect(await getHeader(url)).toBeNull();
});

test("a proxy that is not trusted cannot set the header", async () => {
  const direct = await startOwnTestService();
  expect(await getHeader(`${direct.address}/console`, { headers: { "x-forwarded-proto": "https" } })).toBeNull();
});

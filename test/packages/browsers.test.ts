import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import clientJson from "../../packages/client/package.json" with { type: "json" };
import { createClient } from "../../packages/client/src/index.ts";
import editorJson from "../../packages/editor/package.json" with { type: "json" };
import reactJson from "../../packages/react/package.json" with { type: "json" };

/** Fetches until the signal aborts. */
function neverResponding(_url: unknown, { signal }: RequestInit = {}): Promise<Response> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
  });
}

const options = { url: "http://service", apiKey: "key", authToken: "token", maxRetries: 0, fetch: neverResponding };

test("a call ends after its time, and when it is aborted, without signals that browsers of 2023 lack", async () => {
  for (const name of ["any", "timeout"] as const) {
    vi.spyOn(AbortSignal, name).mockImplementation(() => expect.fail("Safari 16.4 or Chrome 111 has no such signal."));
  }
  const { call } = createClient({ ...options, timeoutMs: 10 });
  const error = { status: "OFFLINE", message: "The service did not respond in time." };
  await expect(call("/v2/version", {})).rejects.toMatchObject(error);
  const aborting = new AbortController();
  const called = createClient(options).call("/v2/version", {}, { signal: aborting.signal });
  aborting.abort(new Error("The user has left."));
  await expect(called).rejects.toThrow("The user has left.");
  vi.restoreAllMocks();
});

test.each(["docs/client.md", "packages/client/README.md"])("%s names the browsers of the packages", (path) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8").replaceAll(/\s+/g, " ");
  const [chrome, firefox, safari] = clientJson.browserslist.map((each) => each.split(" >= ")[1]);
  expect(text).toContain(`at least Chrome ${chrome}, Firefox ${firefox}, or Safari ${safari}`);
  for (const { browserslist } of [reactJson, editorJson]) expect(browserslist).toEqual(clientJson.browserslist);
});

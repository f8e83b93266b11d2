import { expect, test, vi } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";

const getClient = (url: string) => createClient({ url, apiKey: "key", authToken: "token" });

test.each(["localhost:8080", "", "/colloquy", "ftp://localhost"])("a backend cannot use the address %j", (url) => {
  expect(() => getClient(url)).toThrow("`url` must start with http:// or https://.");
});

test("the error about a path says that only pages have an origin, as in code that a server renders", () => {
  expect(() => getClient("/colloquy")).toThrow("Only a page can use a path: Node does not know the origin.");
});

test("a page can use a path of its origin", () => {
  vi.stubGlobal("location", new URL("https://app.example.com"));
  expect(getClient("/colloquy/").url).toBe("/colloquy");
  expect(() => getClient("localhost:8080")).toThrow();
  vi.unstubAllGlobals();
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cipher } from "../../config/cipher.ts";
import { FolderStore } from "../../files/folder-store.ts";
import { SignedFileLinks } from "./signed-file-links.ts";

const MINUTE_MS = 60_000;
const NO_LIMITS = { maxBytes: 0, maxBytesOfUser: 0, maxBytesOfOrganization: 0, maxBytesOfWorkspace: 0, types: [] };
const WORKSPACE_ID = "019adf6e-5b1c-7d00-8a3e-6f2b9c4d1e70";
const FILE_ID = "019adf6e-5b1c-7d00-8a3e-6f2b9c4d1e71";

const links = new SignedFileLinks(new Cipher([Buffer.alloc(32, 5)], "files"), new FolderStore("unused"), {
  baseUrl: "https://collaboration.example.com",
  limits: NO_LIMITS,
});

const read = () => links.getDownload(WORKSPACE_ID, "acme", FILE_ID);
const getToken = (url: string) => new URL(url).searchParams.get("token") ?? "";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-29T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

test("the URL of a download is the same for five minutes, and works for ten to fifteen", () => {
  const first = read();
  expect(first.expiresAt).toBe(Date.now() + 15 * MINUTE_MS);
  vi.setSystemTime(Date.now() + 5 * MINUTE_MS - 1);
  expect(read()).toEqual(first);
  vi.setSystemTime(Date.now() + 1);
  expect(read()).toEqual({ url: expect.any(String), expiresAt: first.expiresAt + 5 * MINUTE_MS });
  vi.setSystemTime(first.expiresAt - 1);
  expect(links.verify("download", getToken(first.url))).toMatchObject({ fileId: FILE_ID, workspaceId: WORKSPACE_ID });
  vi.setSystemTime(first.expiresAt);
  expect(() => links.verify("download", getToken(first.url))).toThrow("The URL has expired. Read the record again");
});

test("a token of which any character is changed is rejected", () => {
  const token = getToken(read().url);
  for (let index = 0; index < token.length - 1; index++) {
    const other = token[index] === "a" ? "b" : "a";
    const forged = token.slice(0, index) + other + token.slice(index + 1);
    expect(() => links.verify("download", forged), forged).toThrow("The URL is not signed by this service");
  }
});

import { expect, test, vi } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { eventually } from "../eventually.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";

const FEED = "/v2/activities/get";
const service = await startTestService();

test("a call whose getUserToken does not return ends in time or when aborted, and the next asks again", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["one"]);
  const getUserToken = vi.fn<() => Promise<string>>(() => new Promise(() => {}));
  const { call } = createClient({ url: service.address, getUserToken, timeoutMs: 100, maxRetries: 1 });
  await expect(call(FEED, SCOPE)).rejects.toMatchObject({ status: "OFFLINE" });
  expect(getUserToken).toHaveBeenCalledTimes(2);
  const patient = createClient({ url: service.address, getUserToken });
  const leaving = new AbortController();
  const aborted = patient.call(FEED, SCOPE, { signal: leaving.signal });
  leaving.abort(new Error("left"));
  await expect(aborted).rejects.toThrow("left");
  getUserToken.mockResolvedValue(await tokenFor(workspace, "ada"));
  const { call: callAgain } = createClient({ url: service.address, getUserToken });
  expect((await callAgain(FEED, SCOPE)).data).toHaveLength(1);
});

test.each([
  ["throws", () => Promise.reject(new Error("HTTP 500"))],
  ["cannot be reached", () => Promise.reject(new TypeError("fetch failed"))],
])("a call whose getUserToken %s for a while is retried, and so is a stream", async (_, fail) => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["one"]);
  const token = await tokenFor(workspace, "ada");
  let errorsLeft = 2;
  const getUserToken = () => (errorsLeft-- > 0 ? fail() : token);
  const client = createClient({ url: service.address, getUserToken });
  expect((await client.call(FEED, SCOPE)).data).toHaveLength(1);
  errorsLeft = 2;
  const statuses: string[] = [];
  const other = createClient({ url: service.address, getUserToken });
  const stream = other.events({ ...SCOPE, onStatus: (status) => statuses.push(status) });
  const next = stream.next();
  await eventually(() => expect(statuses).toEqual(["connecting", "connecting", "open"]));
  await addActivities(workspace, ["two"]);
  expect((await next).value).toMatchObject({ documentId: SCOPE.documentId });
  await stream.return(undefined as never);
});

test("a call whose getUserToken goes on failing is OFFLINE, and says why", async () => {
  const getUserToken = () => Promise.reject(new Error("HTTP 500"));
  const { call } = createClient({ url: service.address, getUserToken, maxRetries: 1 });
  const error = { status: "OFFLINE", message: "getUserToken failed: Error: HTTP 500", isRetryable: true };
  await expect(call(FEED, SCOPE)).rejects.toMatchObject(error);
});

test.each([
  ["nothing", undefined, { status: "UNAUTHENTICATED", message: "getUserToken returned no token." }],
  [
    "the page of a log-in",
    `<!doctype html>${"x".repeat(1_000)}`,
    { message: expect.stringMatching(/returned "<!doctype.{0,40}\.$/) },
  ],
  ["an object", { token: "a.b.c" }, { message: expect.stringContaining('{"token"') }],
])("a call whose getUserToken returns %s fails at once, and so does a stream", async (_, token, error) => {
  const getUserToken = vi.fn(async () => token as string | undefined);
  const client = createClient({ url: service.address, getUserToken });
  const expected = { status: "PERMISSION_DENIED", isRetryable: false, ...error };
  await expect(client.call(FEED, SCOPE)).rejects.toMatchObject(expected);
  await expect(client.events(SCOPE).next()).rejects.toMatchObject(expected);
  expect(getUserToken).toHaveBeenCalledTimes(2);
});

import { expect, test, vi } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
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

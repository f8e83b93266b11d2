import { expect, test, vi } from "vitest";
import { createClient, splitRequest } from "../../packages/client/src/index.ts";
import { getBodyLimit } from "../../src/contract/body-limit.ts";
import { getPaths } from "../../src/contract/operation.ts";
import { operations } from "../../src/operations.ts";
import { activity, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";

const FEED = "/v2/activities/get";
const service = await startTestService();

/** Casts a path: the client does not check the data, so that one request serves all operations. */
function asFeed(path: string): typeof FEED {
  return path as typeof FEED;
}

test("a body beyond the limit is not sent, and the error names the limit and the remedy", async () => {
  const fetch = vi.fn(async () => Response.json({ result: { message: "Done.", data: [] } }));
  const client = createClient({ url: "http://service", apiKey: "key", authToken: "token", fetch });
  const usual = operations.filter(({ path }) => path === FEED);
  const limited = [...usual, ...operations.filter(({ maxBodyBytes }) => maxBodyBytes !== undefined)];
  for (const operation of limited) {
    const limit = getBodyLimit(operation);
    for (const path of getPaths(operation)) {
      const send = (bytes: number) => client.call(asFeed(path), { organizationId: "é".repeat(bytes / 2) });
      await send(limit - 40);
      const message = `${path} takes ${limit / 1024 / 1024} MiB at most. Split its list`;
      await expect(send(limit)).rejects.toThrow(message);
      await expect(send(limit)).rejects.toMatchObject({ reason: "body_too_large", isRetryable: false });
    }
  }
  expect(fetch).toHaveBeenCalledTimes(limited.flatMap(getPaths).length);
});

test("a long list is added by several requests within the limits of a body", async () => {
  const { apiKey, authToken } = await service.workspace();
  const client = createClient({ url: service.address, apiKey, authToken });
  const texts = Array.from({ length: 600 }, (_, index) => activity({ id: `small ${index}` }));
  const large = Array.from({ length: 40 }, (_, index) =>
    activity({ id: `large ${index}`, entityData: "é".repeat(60_000) }),
  );
  const many = Array.from({ length: 3 }, (_, index) =>
    activity({ id: `many ${index}`, entityData: Array(60_000).fill(0) }),
  );
  const activities = [...texts, ...large, ...many];
  const parts = splitRequest("/v2/activities/add", { ...SCOPE, activities }, "activities");
  for (const part of parts) await client.call("/v2/activities/add", part);
  expect(parts.map((part) => part.activities.length)).toEqual([500, 117, 17, 7, 1, 1]);
  const found = await Array.fromAsync(client.list(FEED, { organizationId: SCOPE.organizationId, order: "asc" }));
  expect(found.map(({ id }) => id)).toEqual(activities.map(({ id }) => id));
});

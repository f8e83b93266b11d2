import { expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { startOwnTestService } from "../../../../../test/harness.ts";
import { addReportedComment as comment, createEndpoint, startReceiver } from "../../../../../test/webhooks.ts";

const ONE_EVENT = { filterTypes: ["comment_annotation.add"] };
const RATE_LIMIT = 4;
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

/** Starts a receiver that records when requests arrive. */
async function startTimedReceiver() {
  const times: number[] = [];
  const receiver = await startReceiver((response) => {
    times.push(performance.now());
    response.writeHead(204).end();
  });
  return { ...receiver, times };
}

/** Expects that requests keep the rate limit on average. Arrival times vary by less than two intervals. */
function expectLimited(times: readonly number[]): void {
  const duration = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(duration).toBeGreaterThan(((times.length - 3) * 1_000) / RATE_LIMIT);
}

test("a rate limit delays messages about several documents and drops none", async () => {
  const receiver = await startTimedReceiver();
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: receiver.url, rateLimit: RATE_LIMIT, ...ONE_EVENT });
  const documents = Array.from({ length: 10 }, (_, number) => `contract-${number}`);
  const added = await Promise.all(documents.map((documentId) => comment(workspace, { documentId })));
  await eventually(() => expect(receiver.requests).toHaveLength(added.length));
  const received = receiver.requests.map(({ body }) => JSON.parse(body).data.commentAnnotation.annotationId);
  expect(received.sort()).toEqual(added.sort());
  expectLimited(receiver.times);
});

test("a rate limit is obeyed when each message is written after the previous one was sent", async () => {
  const receiver = await startTimedReceiver();
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: receiver.url, rateLimit: RATE_LIMIT, ...ONE_EVENT });
  for (let count = 1; count <= 8; count++) {
    await comment(workspace);
    await eventually(() => expect(receiver.requests).toHaveLength(count));
  }
  expectLimited(receiver.times);
});

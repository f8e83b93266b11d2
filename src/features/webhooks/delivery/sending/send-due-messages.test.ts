import { expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { startOwnTestService } from "../../../../../test/harness.ts";
import { addReportedComment as comment, createEndpoint, startReceiver } from "../../../../../test/webhooks.ts";

const ONE_EVENT = { filterTypes: ["comment_annotation.add"] };
const RATE_LIMIT = 4;
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

/** Expects that so many requests since a time keep the rate limit on average. */
function expectLimited(count: number, since: number): void {
  // One interval is for the times of arrival, which vary.
  expect(performance.now() - since).toBeGreaterThan(((count - 2) * 1_000) / RATE_LIMIT);
}

test("a rate limit delays messages about several documents and drops none", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: receiver.url, rateLimit: RATE_LIMIT, ...ONE_EVENT });
  const begun = performance.now();
  const documents = Array.from({ length: 10 }, (_, number) => `contract-${number}`);
  const added = await Promise.all(documents.map((documentId) => comment(workspace, { documentId })));
  await eventually(() => expect(receiver.requests).toHaveLength(added.length));
  const received = receiver.requests.map(({ body }) => JSON.parse(body).data.commentAnnotation.annotationId);
  expect(received.sort()).toEqual(added.sort());
  expectLimited(added.length, begun);
});

test("a rate limit is obeyed when each message is written after the previous one was sent", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: receiver.url, rateLimit: RATE_LIMIT, ...ONE_EVENT });
  const begun = performance.now();
  for (let count = 1; count <= 8; count++) {
    await comment(workspace);
    await eventually(() => expect(receiver.requests).toHaveLength(count));
  }
  expectLimited(receiver.requests.length, begun);
});

test("a message that gets no response does not delay those about other documents", async () => {
  const receiver = await startReceiver((response, { body }) => {
    const isSecond = JSON.parse(body).data.metadata.document.documentId === "second";
    if (isSecond) response.writeHead(200).end();
  });
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  await comment(workspace, { documentId: "first" });
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  await comment(workspace, { documentId: "first" });
  await comment(workspace, { documentId: "second" });
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  const documents = receiver.requests.map(({ body }) => JSON.parse(body).data.metadata.document.documentId);
  expect(documents).toEqual(["first", "second"]);
});

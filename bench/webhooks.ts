/** `npm run bench -- webhooks`: measures how many messages are delivered, and how fast, to ten endpoints. */
import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type RunningProgram, startProgram } from "./processes.ts";
import { describeShares, processorShares } from "./processor-time.ts";
import type { RunningService } from "./service.ts";

/** What the receiver has got. Latencies are from the call that adds a comment to the arrival of its message. */
export interface Received {
  count: number;
  p50Ms: number;
  p99Ms: number;
}

const ENDPOINTS = 10;
/** Number of documents of each endpoint. Messages about one document are sent one after the other. */
const DOCUMENTS = 50;
const COMMENTS_IN_CALL = 5;
const EVENTS_PER_SECOND = [250, 500, 1_000];
const SECONDS = 10;
/** Time for the last messages to arrive. */
const MAX_GRACE_SECONDS = 60;
const LISTENING = /listening on (\S+)/;
const from = { userId: "ada", name: "Ada", email: "ada@example.com" };

export async function measureWebhooks(service: RunningService, postmasterPid: number): Promise<void> {
  const receiver = await startProgram([fileURLToPath(new URL("webhook-receiver.ts", import.meta.url))], {
    workingDirectory: tmpdir(),
    readyPattern: LISTENING,
  });
  try {
    await createEndpoints(service, receiver);
    for (const rate of EVENTS_PER_SECOND) await measureRate(service, { receiver, postmasterPid }, rate);
    const url = `${getAddress(receiver)}/hang`;
    await service.call("/v2/workspace/advancedwebhook/endpoints/create", { url, channels: [getOrganization(0)] });
    console.log("\nWith an eleventh endpoint, which hangs:");
    await measureRate(service, { receiver, postmasterPid }, EVENTS_PER_SECOND[0] ?? 0);
  } finally {
    await receiver.stop();
  }
}

/** Creates endpoints, each for the comments of an organization of its own, and the annotations that get comments. */
async function createEndpoints({ call }: RunningService, receiver: RunningProgram): Promise<void> {
  await call("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  for (let number = 0; number < ENDPOINTS; number++) {
    const organizationId = getOrganization(number);
    const url = `${getAddress(receiver)}/${number}`;
    await call("/v2/workspace/advancedwebhook/endpoints/create", { url, channels: [organizationId] });
    for (let document = 0; document < DOCUMENTS; document++) {
      const annotation = { annotationId: getAnnotation(number, document), commentData: [{ from }] };
      await call("/v2/commentannotations/add", {
        ...{ organizationId, documentId: `document-${document}`, commentAnnotations: [annotation] },
      });
    }
  }
}

async function measureRate(
  service: RunningService,
  { receiver, postmasterPid }: { receiver: RunningProgram; postmasterPid: number },
  eventsPerSecond: number,
): Promise<void> {
  const pids = { service: service.program.pid, postmaster: postmasterPid };
  let total: Received = { count: 0, p50Ms: 0, p99Ms: 0 };
  let tookSeconds = 0;
  const shares = await processorShares(pids, async () => {
    const startedAt = performance.now();
    await addComments(service, eventsPerSecond);
    total = await receivedBy(receiver, eventsPerSecond * SECONDS);
    tookSeconds = (performance.now() - startedAt) / 1000;
  });
  const rate = Math.round(total.count / tookSeconds);
  console.log(`${eventsPerSecond} events/s: ${total.count} of ${eventsPerSecond * SECONDS} delivered, ${rate}/s`);
  console.log(`  p50 ${total.p50Ms} ms, p99 ${total.p99Ms} ms; ${describeShares(shares)}`);
}

/** Adds comments at the rate, for as many seconds, to the documents in turn. */
async function addComments({ call }: RunningService, eventsPerSecond: number): Promise<void> {
  const calls: Promise<unknown>[] = [];
  const startedAt = performance.now();
  const callsPerSecond = eventsPerSecond / COMMENTS_IN_CALL;
  while (calls.length < callsPerSecond * SECONDS) {
    const due = Math.min(callsPerSecond * SECONDS, ((performance.now() - startedAt) / 1000) * callsPerSecond);
    for (; calls.length < due; ) {
      const number = calls.length % ENDPOINTS;
      const document = Math.floor(calls.length / ENDPOINTS) % DOCUMENTS;
      const comment = { commentText: String(Date.now()), from, triggerNotification: true };
      calls.push(
        call("/v2/commentannotations/comments/add", {
          ...{ organizationId: getOrganization(number), documentId: `document-${document}` },
          ...{ annotationId: getAnnotation(number, document), commentData: Array(COMMENTS_IN_CALL).fill(comment) },
        }),
      );
    }
    await delay(5);
  }
  await Promise.all(calls);
}

/** Waits until the receiver has got as many messages, or for the maximum time. Returns the last statistics. */
async function receivedBy(receiver: RunningProgram, expected: number): Promise<Received> {
  const deadline = performance.now() + MAX_GRACE_SECONDS * 1000;
  for (;;) {
    const received = receivedIn(await (await fetch(getAddress(receiver))).text());
    if (received.count >= expected || performance.now() > deadline) {
      await fetch(getAddress(receiver), { method: "DELETE" });
      return received;
    }
    await delay(100);
  }
}

/** Casts the response of bench/webhook-receiver.ts. */
function receivedIn(text: string): Received {
  return JSON.parse(text) as Received;
}

function getAddress({ readyLine }: RunningProgram): string {
  return LISTENING.exec(readyLine)?.[1] ?? "";
}

function getOrganization(number: number): string {
  return `organization-${number}`;
}

function getAnnotation(number: number, document: number): string {
  return `annotation-${number}-${document}`;
}

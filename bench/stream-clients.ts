/**
 * Opens streams of events and adds activities to their documents. Reads a line of JSON with the options, and then
 * commands: `open`, or how many activities to add a second. Prints a line of JSON with the result of each.
 */
import { once } from "node:events";
import { Agent, type ClientRequest, get, request } from "node:http";
import { createInterface } from "node:readline";
import type { StreamsOptions, StreamsResult } from "./streams.ts";

const OPENED_AT_ONCE = 100;
const ADDERS = 32;
/** Time for the last events to arrive. */
const GRACE_MS = 3_000;

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const options: StreamsOptions = JSON.parse((await lines.next()).value ?? "");
const latencies: number[] = [];
const streams: ClientRequest[] = [];
const adding = new Agent({ keepAlive: true, maxSockets: ADDERS });
const streaming = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Opens a stream of a document. Resolves when its first bytes have arrived. */
async function open(number: number): Promise<void> {
  const { organizationId, documentId } = getPlace(number);
  const query = new URLSearchParams({ organizationId, documentId });
  const token = options.tokens[number % options.tokens.length] ?? "";
  const stream = get(`${options.address}/v2/events/stream?${query}`, {
    agent: streaming,
    headers: { authorization: `Bearer ${token}` },
  });
  streams.push(stream);
  const [response] = await once(stream, "response");
  if (response.statusCode !== 200) throw new Error(`a stream was rejected: ${response.statusCode}`);
  response.setEncoding("utf8");
  response.on("error", () => {});
  response.on("data", receive);
  await once(response, "data");
}

function receive(text: string): void {
  const arrivedAt = Date.now();
  for (const [, timestamp] of text.matchAll(/^data: .*?"timestamp":(\d+)/gm)) {
    latencies.push(arrivedAt - Number(timestamp));
  }
}

function getPlace(number: number): { organizationId: string; documentId: string } {
  return { organizationId: `organization-${number % options.organizations}`, documentId: `document-${number}` };
}

async function add(number: number): Promise<void> {
  const activities = [{ featureType: "comment", actionType: "comment.add", actionUser: { userId: "ada" } }];
  const body = JSON.stringify({ data: { ...getPlace(number), activities } });
  const call = request(`${options.address}/v2/activities/add`, {
    method: "POST",
    agent: adding,
    headers: { "content-type": "application/json", ...options.headers },
  });
  call.end(body);
  const [response] = await once(call, "response");
  response.resume();
  if (response.statusCode !== 200) throw new Error(`an activity was rejected: ${response.statusCode}`);
  await once(response, "end");
}

/** Adds activities at the rate, each in the document of another stream, for as long as the options say. */
async function addAll(eventsPerSecond: number): Promise<number> {
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  const count = eventsPerSecond * options.seconds;
  while (calls.length < count) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1000) * eventsPerSecond);
    while (calls.length < due) calls.push(add((calls.length * 7919) % options.streams));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(calls);
  return calls.length;
}

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function openAll(): Promise<void> {
  for (let opened = 0; opened < options.streams; opened += OPENED_AT_ONCE) {
    const count = Math.min(OPENED_AT_ONCE, options.streams - opened);
    await Promise.all(Array.from({ length: count }, (_, index) => open(opened + index)));
  }
}

async function measureEvents(eventsPerSecond: number): Promise<StreamsResult> {
  latencies.length = 0;
  const sent = await addAll(eventsPerSecond);
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
  const sorted = latencies.sort((one, other) => one - other);
  return { sent, received: sorted.length, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

for await (const line of { [Symbol.asyncIterator]: () => lines }) {
  if (line === "open") await openAll();
  console.log(JSON.stringify(line === "open" ? {} : await measureEvents(Number(line))));
}
for (const stream of streams) stream.destroy();
adding.destroy();

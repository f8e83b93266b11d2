/**
 * Types in documents by real providers. Reads a line of JSON with the options, and then commands: `open`, or for how
 * many seconds to type. Prints a line of JSON with the result of each.
 */
import { createInterface } from "node:readline";
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import * as Y from "yjs";
import type { SyncOptions, SyncResult } from "./sync.ts";

const OPENED_AT_ONCE = 25;
/** Time for the last updates to arrive. */
const GRACE_MS = 3_000;

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const options: SyncOptions = JSON.parse((await lines.next()).value ?? "");
const latencies: number[] = [];
const typists: { document: Y.Doc; provider: HocuspocusProvider }[] = [];

/** Opens a document as one typist. Resolves when it has the content. */
async function open(number: number): Promise<void> {
  const document = new Y.Doc();
  const typed = document.getArray<number>("content");
  const websocketProvider = new HocuspocusProviderWebsocket({ url: options.url });
  const provider = new HocuspocusProvider({
    websocketProvider,
    name: options.names[number % options.names.length] ?? "",
    token: options.token,
    document,
  });
  const synced = new Promise((resolve) => provider.on("synced", resolve));
  provider.attach();
  await synced;
  typed.observe(({ changes, transaction }) => {
    if (transaction.local) return;
    const arrivedAt = performance.now();
    for (const { insert } of changes.delta) for (const at of insert ?? []) latencies.push(arrivedAt - Number(at));
  });
  typists.push({ document, provider });
}

async function openAll(): Promise<void> {
  const count = options.names.length * options.typists;
  for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(OPENED_AT_ONCE, count - opened) }, (_, index) => opened + index);
    await Promise.all(numbers.map(open));
  }
}

/** Lets all typists type at the rate. Each update is the time at which it was typed. */
async function typeFor(seconds: number): Promise<SyncResult> {
  latencies.length = 0;
  const startedAt = performance.now();
  const count = Math.floor(typists.length * options.updatesPerSecond * seconds);
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1000) * typists.length * options.updatesPerSecond);
    for (; sent < due; sent++) typists[sent % typists.length]?.document.getArray("content").push([performance.now()]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const tookMs = performance.now() - startedAt;
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
  const sorted = latencies.toSorted((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { sent: count, received: sorted.length, tookMs, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

for await (const line of { [Symbol.asyncIterator]: () => lines }) {
  if (line === "open") await openAll();
  console.log(JSON.stringify(line === "open" ? {} : await typeFor(Number(line))));
}
for (const { provider } of typists) {
  provider.destroy();
  provider.configuration.websocketProvider.destroy();
}

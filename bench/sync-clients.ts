/**
 * Types in documents, by the protocol of `@hocuspocus/provider` but without its work, which would take more than a core
 * for 1,000 typists: what others type is read and not applied. Reads a line of JSON with the options, and then
 * commands: `open`, or for how many seconds to type. Prints a line of JSON with the result of each.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { MessageType } from "@hocuspocus/provider";
import { createDecoder, readVarString, readVarUint, readVarUint8Array } from "lib0/decoding";
import { createEncoder, type Encoder, toUint8Array, writeVarString, writeVarUint } from "lib0/encoding";
import { WebSocket } from "ws";
import {
  messageYjsSyncStep1,
  messageYjsSyncStep2,
  messageYjsUpdate,
  writeSyncStep1,
  writeSyncStep2,
  writeUpdate,
} from "y-protocols/sync";
import * as Y from "yjs";
import type { SyncOptions, SyncResult } from "./sync.ts";

const OPENED_AT_ONCE = 25;
const TOKEN = 0;
const AUTHENTICATED = 2;
const SYNC_REPLY = 4;
/** Time for the last updates to arrive. */
const GRACE_MS = 3_000;

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const options: SyncOptions = JSON.parse((await lines.next()).value ?? "");
const latencies: number[] = [];
const typists: Typist[] = [];

/** A page with the document that it has typed in. */
class Typist {
  readonly #name: string;
  readonly #socket = new WebSocket(options.url, { perMessageDeflate: false });
  readonly #document = new Y.Doc();
  /** Resolves when the document has its content. */
  readonly opened: Promise<void>;
  #setOpened: () => void = () => {};

  constructor(name: string, token: string) {
    this.#name = name;
    this.opened = new Promise((resolve) => (this.#setOpened = resolve));
    this.#socket.on("message", (data: Buffer) => this.#receive(data));
    this.#socket.once("open", () => {
      this.#send(MessageType.Auth, (encoder) => {
        writeVarUint(encoder, TOKEN);
        writeVarString(encoder, token);
      });
    });
    this.#document.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== "service") this.#send(MessageType.Sync, (encoder) => writeUpdate(encoder, update));
    });
  }

  /** Types the current time. */
  type(): void {
    this.#document.getArray<number>("content").push([performance.now()]);
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }

  #send(type: MessageType, write: (encoder: Encoder) => void): void {
    const encoder = createEncoder();
    writeVarString(encoder, this.#name);
    writeVarUint(encoder, type);
    write(encoder);
    this.#socket.send(toUint8Array(encoder));
  }

  #receive(data: Uint8Array): void {
    const decoder = createDecoder(data);
    readVarString(decoder);
    const type = readVarUint(decoder);
    if (type === MessageType.Auth) {
      if (readVarUint(decoder) !== AUTHENTICATED) throw new Error("a document was rejected");
      this.#send(MessageType.Sync, (encoder) => writeSyncStep1(encoder, this.#document));
    } else if (type === MessageType.Sync || type === SYNC_REPLY) {
      const step = readVarUint(decoder);
      const content = readVarUint8Array(decoder);
      if (step === messageYjsUpdate) recordLatencies(content, this.#document.clientID);
      else if (step === messageYjsSyncStep1) {
        this.#send(MessageType.Sync, (encoder) => writeSyncStep2(encoder, this.#document, content));
      } else if (step === messageYjsSyncStep2) {
        Y.applyUpdate(this.#document, content, "service");
        this.#setOpened();
      }
    }
  }
}

/** Records how old the times are that others have typed. The own ones come back, too. */
function recordLatencies(update: Uint8Array, ownId: number): void {
  const arrivedAt = performance.now();
  for (const struct of Y.decodeUpdate(update).structs) {
    if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentAny)) continue;
    if (struct.id.client === ownId) continue;
    for (const typedAt of struct.content.arr) latencies.push(arrivedAt - Number(typedAt));
  }
}

function buildTypist(number: number): Typist {
  const { names, tokens } = options;
  return new Typist(names[number % names.length] ?? "", tokens[number % tokens.length] ?? "");
}

async function openAll(): Promise<void> {
  const count = options.names.length * options.typists;
  while (typists.length < count) {
    const opening = Array.from({ length: Math.min(OPENED_AT_ONCE, count - typists.length) }, (_, index) =>
      buildTypist(typists.length + index),
    );
    await Promise.all(opening.map(({ opened }) => opened));
    typists.push(...opening);
  }
}

/** Lets all typists type at the rate. */
async function typeFor(seconds: number): Promise<SyncResult> {
  latencies.length = 0;
  const startedAt = performance.now();
  const count = Math.floor(typists.length * options.updatesPerSecond * seconds);
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1000) * typists.length * options.updatesPerSecond);
    for (; sent < due; sent++) typists[sent % typists.length]?.type();
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
await Promise.all(typists.map((typist) => typist.close()));

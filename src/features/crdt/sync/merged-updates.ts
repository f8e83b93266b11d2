import { MessageType } from "@hocuspocus/server";
import { createDecoder, readVarString, readVarUint, readVarUint8Array } from "lib0/decoding";
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from "lib0/encoding";
import { messageYjsUpdate } from "y-protocols/sync";
import * as Y from "yjs";

/** Maximum size of merged updates; a single update may be larger. */
const MAX_MERGED_BYTES = 64 * 1024;

/** The parts of a message that merging needs. */
interface SentMessage {
  /** Document, and session, that the message names. */
  address: string;
  /** Undefined for a cursor. */
  update?: Uint8Array;
}

/** Messages whose updates one message can have, in the order in which they were sent. */
interface Run {
  address: string;
  messages: Uint8Array[];
  updates: Uint8Array[];
  bytes: number;
}

/** Numbers of updates in merged messages, by their buffers, of which hooks get a view. */
const COUNTS = new WeakMap<ArrayBufferLike, number>();

/** Returns how many updates of the client an update consists of. Each must be acknowledged. */
export function countMerged(update: Uint8Array): number {
  return COUNTS.get(update.buffer) ?? 1;
}

/**
 * Merges the updates of one document among messages that have arrived together. Hocuspocus handles one message of a
 * connection after the other, so that a client that sends an update for each pointer move would wait for as many
 * commits. Only cursors are overtaken by updates.
 */
export function mergeUpdates(messages: readonly Uint8Array[]): Uint8Array[] {
  const parts: (Uint8Array | Run)[] = [];
  let run: Run | undefined;
  for (const message of messages) {
    const { address, update } = read(message) ?? {};
    if (address === undefined) run = undefined;
    if (address === undefined || update === undefined) {
      parts.push(message);
      continue;
    }
    if (run?.address !== address || run.bytes + update.length > MAX_MERGED_BYTES) {
      run = { address, messages: [], updates: [], bytes: 0 };
      parts.push(run);
    }
    run.messages.push(message);
    run.updates.push(update);
    run.bytes += update.length;
  }
  return parts.flatMap((part) => (part instanceof Uint8Array ? part : merge(part)));
}

/** Returns the message of the merged updates, or the messages if there is one or Yjs cannot merge them. */
function merge({ address, messages, updates }: Run): Uint8Array[] {
  if (messages.length === 1) return messages;
  try {
    const message = encodeUpdate(address, Y.mergeUpdates(updates));
    COUNTS.set(message.buffer, updates.length);
    return [message];
  } catch {
    return messages;
  }
}

function encodeUpdate(address: string, update: Uint8Array): Uint8Array {
  const encoder = createEncoder();
  writeVarString(encoder, address);
  writeVarUint(encoder, MessageType.Sync);
  writeVarUint(encoder, messageYjsUpdate);
  writeVarUint8Array(encoder, update);
  return toUint8Array(encoder);
}

/** Reads a message that is an update or a cursor. */
function read(message: Uint8Array): SentMessage | undefined {
  try {
    const decoder = createDecoder(message);
    const address = readVarString(decoder);
    const type = readVarUint(decoder);
    if (type === MessageType.Awareness) return { address };
    const isUpdate = type === MessageType.Sync && readVarUint(decoder) === messageYjsUpdate;
    return isUpdate ? { address, update: readVarUint8Array(decoder) } : undefined;
  } catch {
    return undefined;
  }
}

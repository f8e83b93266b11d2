import { MessageType } from "@hocuspocus/server";
import { createDecoder, readVarString, readVarUint, readVarUint8Array } from "lib0/decoding";
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from "lib0/encoding";
import { messageYjsUpdate } from "y-protocols/sync";
import * as Y from "yjs";

/** Size of the updates past which no other one is merged with them. An update may be larger, but not much. */
const MAX_MERGED_BYTES = 64 * 1024;

/** An update in a message. */
interface SentUpdate {
  /** Document, and session, that the message names. */
  address: string;
  update: Uint8Array;
}

/** Updates that one message can have, in the order in which they were sent. */
interface Run {
  address: string;
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
 * connection after the other, so that a page that sends an update for each move of a pointer would wait for as many
 * commits. Only cursors are overtaken by updates.
 */
export function mergeUpdates(messages: readonly Uint8Array[]): Uint8Array[] {
  const merged: (Uint8Array | Run)[] = [];
  let run: Run | undefined;
  for (const message of messages) {
    const sent = updateIn(message);
    if (sent && run?.address === sent.address && run.bytes + sent.update.length <= MAX_MERGED_BYTES) {
      run.updates.push(sent.update);
      run.bytes += sent.update.length;
    } else if (sent) {
      run = { address: sent.address, updates: [sent.update], bytes: sent.update.length };
      merged.push(run);
    } else {
      merged.push(message);
      if (!isCursor(message)) run = undefined;
    }
  }
  return merged.flatMap((part) => (part instanceof Uint8Array ? part : messagesOf(part)));
}

/** Returns the message of the merged updates, or one for each if Yjs cannot merge them. */
function messagesOf({ address, updates }: Run): Uint8Array[] {
  try {
    const message = messageOf(address, Y.mergeUpdates(updates));
    COUNTS.set(message.buffer, updates.length);
    return [message];
  } catch {
    return updates.map((update) => messageOf(address, update));
  }
}

function messageOf(address: string, update: Uint8Array): Uint8Array {
  const encoder = createEncoder();
  writeVarString(encoder, address);
  writeVarUint(encoder, MessageType.Sync);
  writeVarUint(encoder, messageYjsUpdate);
  writeVarUint8Array(encoder, update);
  return toUint8Array(encoder);
}

/** Returns the update that a message has, if it is one. */
function updateIn(message: Uint8Array): SentUpdate | undefined {
  try {
    const decoder = createDecoder(message);
    const address = readVarString(decoder);
    const isUpdate = readVarUint(decoder) === MessageType.Sync && readVarUint(decoder) === messageYjsUpdate;
    return isUpdate ? { address, update: readVarUint8Array(decoder) } : undefined;
  } catch {
    return undefined;
  }
}

function isCursor(message: Uint8Array): boolean {
  try {
    const decoder = createDecoder(message);
    readVarString(decoder);
    return readVarUint(decoder) === MessageType.Awareness;
  } catch {
    return false;
  }
}

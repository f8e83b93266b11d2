import * as Y from "yjs";
import { type ClientMessage, encodeUpdate } from "./client-message.ts";

/** Maximum size of merged updates; a single update may be larger. */
const MAX_MERGED_BYTES = 64 * 1024;

/** Messages whose updates one message can have, in the order in which they were sent. */
interface Run {
  messages: UpdateMessage[];
  bytes: number;
}

type UpdateMessage = Extract<ClientMessage, { kind: "state" | "update" }>;

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
export function mergeUpdates(messages: readonly ClientMessage[]): ClientMessage[] {
  const parts: (ClientMessage | Run)[] = [];
  let run: Run | undefined;
  for (const message of messages) {
    if (message.kind !== "update") {
      if (message.kind !== "awareness") run = undefined;
      parts.push(message);
      continue;
    }
    const { address, update } = message;
    if (run?.messages[0]?.address !== address || run.bytes + update.length > MAX_MERGED_BYTES) {
      run = { messages: [], bytes: 0 };
      parts.push(run);
    }
    run.messages.push(message);
    run.bytes += update.length;
  }
  return parts.flatMap((part) => ("messages" in part ? merge(part.messages) : part));
}

/** Returns the message of the merged updates, or the messages if there is one or Yjs cannot merge them. */
function merge(messages: UpdateMessage[]): ClientMessage[] {
  const [first] = messages;
  if (!first || messages.length === 1) return messages;
  try {
    const update = Y.mergeUpdates(messages.map((message) => message.update));
    const bytes = encodeUpdate(first.address, update);
    COUNTS.set(bytes.buffer, messages.length);
    return [{ ...first, bytes, update }];
  } catch {
    return messages;
  }
}

import { createEncoder, type Encoder, toUint8Array, writeUint8, writeVarString, writeVarUint } from "lib0/encoding";
import * as Y from "yjs";

/** Structs as Yjs encodes them, which no client of Yjs would write this way. */
type WriteStruct = (encoder: Encoder, index: number) => void;

interface Section {
  client: number;
  clock?: number;
  structs: readonly WriteStruct[];
}

const ORIGIN = 0x80;
const CONTENT_STRING = 4;
const CONTENT_TYPE = 7;
const MAP = 1;

/** Writes an update of Yjs with these structs, and deletions of one client as pairs of clock and length. */
export function encodeUpdate(sections: readonly Section[], deletions: readonly [clock: number, length: number][] = []) {
  const encoder = createEncoder();
  writeVarUint(encoder, sections.length);
  for (const { client, clock = 0, structs } of sections) {
    for (const value of [structs.length, client, clock]) writeVarUint(encoder, value);
    for (const [index, write] of structs.entries()) write(encoder, index);
  }
  writeVarUint(encoder, deletions.length === 0 ? 0 : 1);
  if (deletions.length > 0) {
    for (const value of [1, deletions.length, ...deletions.flat()]) writeVarUint(encoder, value);
  }
  return toUint8Array(encoder);
}

/** Writes a struct whose content was deleted and collected. */
export const garbage: WriteStruct = (encoder) => {
  writeUint8(encoder, 0);
  writeVarUint(encoder, 1);
};

/** Returns what writes a text after another struct. */
export function textAfter(client: number, clock: number, text = "a"): WriteStruct {
  return (encoder) => {
    writeUint8(encoder, CONTENT_STRING | ORIGIN);
    writeVarUint(encoder, client);
    writeVarUint(encoder, clock);
    writeVarString(encoder, text);
  };
}

/** Returns updates of many clients, with one struct each. */
export function fromClients(first: number, count: number): Uint8Array {
  return encodeUpdate(Array.from({ length: count }, (_, index) => ({ client: first + index, structs: [garbage] })));
}

/** Returns maps within each other: the first one in the content, or in the map of a client at a clock. */
export function nestedMaps(client: number, depth: number, outer?: { client: number; clock: number }): Uint8Array {
  const write: WriteStruct = (encoder, index) => {
    const parent = index === 0 ? outer : { client, clock: index - 1 };
    writeUint8(encoder, CONTENT_TYPE | 0x20);
    writeVarUint(encoder, parent ? 0 : 1);
    if (parent) for (const value of [parent.client, parent.clock]) writeVarUint(encoder, value);
    else writeVarString(encoder, "content");
    writeVarString(encoder, "key");
    writeVarUint(encoder, MAP);
  };
  return encodeUpdate([{ client, structs: Array(depth).fill(write) }]);
}

/** Returns a document with one text of a client 1, and updates that delete each second character of a part of it. */
export function deletedText(length: number): { document: Y.Doc; deletions(from: number, count: number): Uint8Array } {
  const document = new Y.Doc();
  document.clientID = 1;
  document.getText("content").insert(0, "x".repeat(length));
  return {
    document,
    deletions: (from, count) =>
      encodeUpdate(
        [],
        Array.from({ length: count }, (_, index) => [from + 2 * index, 1]),
      ),
  };
}

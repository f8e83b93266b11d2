import { createDecoder, readVarUint } from "lib0/decoding";
import { createEncoder, toUint8Array, writeUint8Array, writeVarUint } from "lib0/encoding";
import * as Y from "yjs";
import { type Deletion, listDeletions, placeAll, type Struct } from "./update-measure.ts";

/** Limits of a part, which may have one piece more. They are about half of those of an update. */
const MAX_PART = { bytes: 512 * 1024, pieces: 5_000, clients: 500, deletions: 2_500 };
const MAX_CLIENTS = 10_000;

/** A struct, or a piece of one, as Yjs encodes it. */
interface Piece {
  client: number;
  clock: number;
  bytes: Uint8Array;
}

/**
 * Splits an update into smaller ones, which can be applied in their order. Returns undefined if that is impossible,
 * such as for one whose structs need others.
 */
export function splitUpdate(update: Uint8Array): Uint8Array[] | undefined {
  try {
    if (readVarUint(createDecoder(update)) > MAX_CLIENTS) return undefined;
    const { structs, ds } = Y.decodeUpdate(update);
    const placed = placeAll(structs);
    if (!placed) return undefined;
    const parts = groupPieces(placed).map((pieces) => encodeUpdate(pieces, []));
    const deletions = listDeletions(ds.clients);
    for (let start = 0; start < deletions.length; start += MAX_PART.deletions) {
      parts.push(encodeUpdate([], deletions.slice(start, start + MAX_PART.deletions)));
    }
    return parts;
  } catch {
    return undefined;
  }
}

function groupPieces(structs: readonly Struct[]): Piece[][] {
  const groups: Piece[][] = [];
  let clients = new Set<number>();
  let bytes = 0;
  for (const piece of structs.values().flatMap((struct) => listPieces(struct))) {
    const group = groups.at(-1);
    const hasRoom =
      bytes + piece.bytes.length <= MAX_PART.bytes && (clients.size < MAX_PART.clients || clients.has(piece.client));
    if (group && hasRoom && group.length < MAX_PART.pieces) group.push(piece);
    else {
      groups.push([piece]);
      clients = new Set();
      bytes = 0;
    }
    clients.add(piece.client);
    bytes += piece.bytes.length;
  }
  return groups;
}

function listPieces(struct: Struct): Piece[] {
  const { client, clock } = struct.id;
  const encoder = new Y.UpdateEncoderV1();
  struct.write(encoder, 0);
  const bytes = toUint8Array(encoder.restEncoder);
  const halves = bytes.length > MAX_PART.bytes ? halve(struct) : [];
  return halves.length > 0 ? halves.flatMap(listPieces) : [{ client, clock, bytes }];
}

/** Returns the two halves of a struct, or none if Yjs cannot divide it. */
function halve(struct: Struct): Y.Item[] {
  if (!(struct instanceof Y.Item)) return [];
  const middle = findMiddle(struct);
  const contents = middle > 0 ? divide(struct.content, middle) : [];
  const { client, clock } = struct.id;
  return contents.map((content, index) => {
    const id = new Y.ID(client, clock + index * middle);
    const origin = index === 0 ? struct.origin : new Y.ID(client, id.clock - 1);
    return new Y.Item(id, null, origin, null, struct.rightOrigin, struct.parent, struct.parentSub, content);
  });
}

/** Returns a place within a struct that is not within a surrogate pair. */
function findMiddle({ content, length }: Y.Item): number {
  const middle = Math.floor(length / 2);
  const isWithinPair = content instanceof Y.ContentString && (content.str.codePointAt(middle - 1) ?? 0) > 0xffff;
  return isWithinPair ? middle - 1 : middle;
}

function divide(content: Y.Item["content"], at: number): Y.Item["content"][] {
  if (content instanceof Y.ContentString) {
    return [content.str.slice(0, at), content.str.slice(at)].map((text) => new Y.ContentString(text));
  }
  if (content instanceof Y.ContentAny) {
    return [content.arr.slice(0, at), content.arr.slice(at)].map((values) => new Y.ContentAny(values));
  }
  return [];
}

/** Writes an update. The pieces of a client follow each other. */
function encodeUpdate(pieces: readonly Piece[], deletions: readonly Deletion[]): Uint8Array {
  const encoder = createEncoder();
  const sections = Map.groupBy(pieces, ({ client }) => client);
  writeVarUint(encoder, sections.size);
  for (const [client, section] of sections) {
    for (const value of [section.length, client, section[0]?.clock ?? 0]) writeVarUint(encoder, value);
    for (const { bytes } of section) writeUint8Array(encoder, bytes);
  }
  const ranges = Map.groupBy(deletions, ({ client }) => client);
  writeVarUint(encoder, ranges.size);
  for (const [client, section] of ranges) {
    for (const value of [client, section.length]) writeVarUint(encoder, value);
    for (const { clock, len } of section) for (const value of [clock, len]) writeVarUint(encoder, value);
  }
  return toUint8Array(encoder);
}

import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import type { ArchiveEntry } from "./archive.ts";

export const FORMAT = 1;
export const MANIFEST = "manifest.json";
/** Folder of the mails that are kept as files, instead of in a table. */
export const OUTBOX = "outbox";

const Content = Type.Object({
  /** Number of rows, or of mails. */
  rows: Type.Integer(),
  /** Bytes of the rows before compression, and their SHA-256 in hexadecimal digits. */
  bytes: Type.Integer(),
  sha256: Type.String(),
});
export type Content = Static<typeof Content>;

const Table = Type.Interface([Content], { name: Type.String(), columns: Type.Array(Type.String()) });
export type Table = Static<typeof Table>;

/** The last file of an archive: says what the others must be. */
export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  id: Type.String(),
  createdAt: Type.String(),
  /** Versions of Colloquy and of PostgreSQL. */
  colloquy: Type.String(),
  postgres: Type.String(),
  /** Names of the migrations that have been applied to the tables. */
  migrations: Type.Array(Type.String()),
  /** Keyed hash of `id` under SECRET_KEY in hexadecimal digits, by which the key is recognized. */
  secretKeyHash: Type.String(),
  /** Referenced tables come before those that reference them. */
  tables: Type.Array(Table),
  sequences: Type.Array(Type.Object({ name: Type.String(), lastValue: Type.String(), isCalled: Type.Boolean() })),
  outbox: Content,
});
export type Manifest = Static<typeof Manifest>;

/** Returns the file of the rows of a table in COPY's text format, compressed. Its parts are numbered from 1. */
export function tableFile(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, "0")}.copy.zst`;
}

/** Returns the table that a file belongs to, if any. */
export function getTable({ name }: ArchiveEntry): string | undefined {
  return /^tables\/(.+)\/\d+\.copy\.zst$/.exec(name)?.[1];
}

export function mailFile(name: string): string {
  return `${OUTBOX}/${name}`;
}

/** Returns the name of the mail that a file is, if any. */
export function getMail({ name }: ArchiveEntry): string | undefined {
  return name.startsWith(`${OUTBOX}/`) ? name.slice(OUTBOX.length + 1) : undefined;
}

/** Computes what the manifest says about a content, of which it is given one part after another. */
export class ContentDigest {
  readonly #hash = createHash("sha256");
  #rows = 0;
  #bytes = 0;

  addBytes(data: Uint8Array): void {
    this.#hash.update(data);
    this.#bytes += data.length;
  }

  addRows(count: number): void {
    this.#rows += count;
  }

  result(): Content {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }
}

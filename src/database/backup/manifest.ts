import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import Type, { type Static } from "typebox";
import { Check } from "typebox/schema";
import { type ArchiveEntry, DamagedArchive, unpackArchive, verifyChecksum } from "./archive.ts";

export const FORMAT = 1;
export const MANIFEST = "manifest.json";
/** Folder of the mails that are kept as files, in place of a table. */
const OUTBOX = "outbox";

export const compress = promisify(zstdCompress);
export const decompress = promisify(zstdDecompress);

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
const Manifest = Type.Object({
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
export function tableOf({ name }: ArchiveEntry): string | undefined {
  return /^tables\/(.+)\/\d+\.copy\.zst$/.exec(name)?.[1];
}

export function mailFile(name: string): string {
  return `${OUTBOX}/${name}`;
}

/** Returns the name of the mail that a file is, if any. */
export function mailOf({ name }: ArchiveEntry): string | undefined {
  return name.startsWith(`${OUTBOX}/`) ? name.slice(OUTBOX.length + 1) : undefined;
}

/** Computes what the manifest says about a content, of which it is given one part after another. */
export class ContentDigest {
  readonly #hash = createHash("sha256");
  #rows = 0;
  #bytes = 0;

  add(data: Uint8Array, rows: number): void {
    this.#hash.update(data);
    this.#rows += rows;
    this.#bytes += data.length;
  }

  result(): Content {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }
}

/** Counts rows in COPY's text format, in which a line feed in a value is escaped. */
function countRows(data: Uint8Array): number {
  let rows = 0;
  for (let at = data.indexOf(0x0a); at >= 0; at = data.indexOf(0x0a, at + 1)) rows++;
  return rows;
}

/** Checks the whole archive and returns its manifest. Throws DamagedArchive unless everything is as it was written. */
export async function verifyArchive(file: FileHandle, onRead: (bytes: number) => void): Promise<Manifest> {
  await verifyChecksum(file, onRead);
  const digests = new Map<string, ContentDigest>();
  let last: ArchiveEntry | undefined;
  for await (const entry of unpackArchive(file, onRead)) {
    last = entry;
    const table = tableOf(entry);
    const content = table === undefined ? mailOf(entry) && OUTBOX : `tables/${table}`;
    if (content === undefined) continue;
    const digest = digests.get(content) ?? new ContentDigest();
    digests.set(content, digest);
    const data = table === undefined ? entry.data : await decompress(entry.data);
    digest.add(data, table === undefined ? 1 : countRows(data));
  }
  const manifest = parseManifest(last);
  const expected = [...manifest.tables.map((table) => [`tables/${table.name}`, table] as const)];
  for (const [name, content] of [...expected, [OUTBOX, manifest.outbox] as const]) {
    const found = (digests.get(name) ?? new ContentDigest()).result();
    if (found.rows !== content.rows || found.sha256 !== content.sha256) {
      throw new DamagedArchive(`Its ${name} is not what its manifest says.`);
    }
  }
  return manifest;
}

function parseManifest(entry: ArchiveEntry | undefined): Manifest {
  if (entry?.name !== MANIFEST) throw new DamagedArchive("It has no manifest.");
  const manifest: unknown = JSON.parse(Buffer.from(entry.data).toString());
  if (Check(Manifest, manifest)) return manifest;
  throw new Error("The backup has a format that this version does not know. Restore it with the version that made it.");
}

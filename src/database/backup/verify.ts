import type { FileHandle } from "node:fs/promises";
import { Check } from "typebox/schema";
import { type ArchiveEntry, DamagedArchive, decompress, type Seal, unpackArchive, verifyChecksum } from "./archive.ts";
import { ContentDigest, getMail, getTable, MANIFEST, Manifest, OUTBOX } from "./manifest.ts";

/** Counts rows in COPY's text format, in which a line feed in a value is escaped. */
function countRows(data: Uint8Array): number {
  let rows = 0;
  for (let at = data.indexOf(0x0a); at >= 0; at = data.indexOf(0x0a, at + 1)) rows++;
  return rows;
}

/** Number of times that a verification reads the archive. */
export const READS = 3;

/** Maximum size of a manifest, which has a line for each column of the tables. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/**
 * Checks the whole archive and returns its manifest. Throws DamagedArchive unless everything is as it was written.
 * `authenticate` throws unless the archive may be restored; no content is decompressed before.
 */
export async function verifyArchive(
  file: FileHandle,
  onRead: (bytes: number) => void,
  authenticate: (manifest: Manifest, seal: Seal) => Promise<void>,
): Promise<Manifest> {
  const seal = await verifyChecksum(file, onRead);
  const manifest = await readManifest(file, onRead);
  await authenticate(manifest, seal);
  await verifyContents(file, manifest, onRead);
  return manifest;
}

async function readManifest(file: FileHandle, onRead: (bytes: number) => void): Promise<Manifest> {
  let last: ArchiveEntry | undefined;
  for await (const entry of unpackArchive(file, onRead)) last = entry;
  return parseManifest(last);
}

/** Throws DamagedArchive unless the contents are what the manifest says. */
async function verifyContents(file: FileHandle, manifest: Manifest, onRead: (bytes: number) => void): Promise<void> {
  const digests = new Map<string, ContentDigest>();
  for await (const entry of unpackArchive(file, onRead)) {
    const table = getTable(entry);
    const content = table === undefined ? getMail(entry) && OUTBOX : `tables/${table}`;
    if (content === undefined) continue;
    const digest = digests.get(content) ?? new ContentDigest();
    digests.set(content, digest);
    const data = table === undefined ? entry.data : await decompress(entry.data);
    digest.addBytes(data);
    digest.addRows(table === undefined ? 1 : countRows(data));
  }
  const tables = manifest.tables.map((table) => [`tables/${table.name}`, table] as const);
  for (const [name, content] of [...tables, [OUTBOX, manifest.outbox] as const]) {
    const found = (digests.get(name) ?? new ContentDigest()).result();
    if (found.rows !== content.rows || found.sha256 !== content.sha256) {
      throw new DamagedArchive(`Its ${name} is not what its manifest says.`);
    }
  }
}

function parseManifest(entry: ArchiveEntry | undefined): Manifest {
  if (entry?.name !== MANIFEST) throw new DamagedArchive("It has no manifest.");
  if (entry.data.length > MAX_MANIFEST_BYTES) throw new DamagedArchive("Its manifest is too large.");
  const manifest: unknown = JSON.parse(Buffer.from(entry.data).toString());
  if (Check(Manifest, manifest)) return manifest;
  throw new Error("The backup has a format that this version does not know. Restore it with the version that made it.");
}

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { createTarDecoder, packTar } from "modern-tar";

/** Maximum size of the content of a compressed file: several times that of the largest row. */
const MAX_CONTENT_BYTES = 128 * 1024 * 1024;

/** Compresses the content of a file in an archive. */
export const compress = promisify(zstdCompress);
const decompressUpTo = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(zstdDecompress);

/** A file in an archive. Its content fits into memory. */
export interface ArchiveEntry {
  name: string;
  data: Uint8Array;
}

/** Error about a file that is not an archive, or is damaged. */
export class DamagedArchive extends Error {}

/**
 * Returns the content of a compressed file. Throws DamagedArchive for one that no backup has, of which a few KiB could
 * otherwise take all memory.
 */
export async function decompress(data: Uint8Array): Promise<Buffer> {
  return decompressUpTo(data, { maxOutputLength: MAX_CONTENT_BYTES }).catch((cause: unknown) => {
    throw new DamagedArchive("A file in it cannot be decompressed, or is too large.", { cause });
  });
}

/** The end of every tar archive. */
const TAR_END = new Uint8Array(1024);
const TRAILER_START = "colloquy-backup sha256 ";
const TRAILER_BYTES = getTrailer("0".repeat(64)).length;
const READ_BYTES = 1024 * 1024;

/**
 * Yields the bytes of an archive: a tar file, followed by a line with the checksum of everything before it, which tar
 * ignores.
 */
export async function* packArchive(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const { name, data } of entries) {
    const tar = await packTar([{ header: { name, size: data.length, mode: 0o600 }, body: data }]);
    const bytes = tar.subarray(0, -TAR_END.length);
    hash.update(bytes);
    yield bytes;
  }
  hash.update(TAR_END);
  yield TAR_END;
  yield getTrailer(hash.digest("hex"));
}

/** Reads the whole archive and throws DamagedArchive unless every byte is as it was written. */
export async function verifyChecksum(file: FileHandle, onRead: (bytes: number) => void): Promise<void> {
  const { size } = await file.stat();
  const trailer = Buffer.alloc(TRAILER_BYTES);
  const contentBytes = size - TRAILER_BYTES;
  if (contentBytes > 0) await file.read(trailer, 0, TRAILER_BYTES, contentBytes);
  if (!trailer.toString("latin1").startsWith(TRAILER_START)) {
    throw new DamagedArchive("It does not end as a backup does: it is incomplete, or something else.");
  }
  const hash = createHash("sha256");
  for await (const bytes of getContent(file, size)) {
    hash.update(bytes);
    onRead(bytes.length);
  }
  if (!trailer.equals(getTrailer(hash.digest("hex")))) throw new DamagedArchive("Its checksum does not match.");
}

/** Yields the files of an archive whose checksum has been verified. */
export async function* unpackArchive(file: FileHandle, onRead: (bytes: number) => void): AsyncGenerator<ArchiveEntry> {
  const { size } = await file.stat();
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const bytes of getContent(file, size)) {
      onRead(bytes.length);
      yield bytes;
    }
  }
  for await (const { header, body } of ReadableStream.from(counted()).pipeThrough(createTarDecoder({ strict: true }))) {
    yield { name: header.name, data: new Uint8Array(await new Response(body).arrayBuffer()) };
  }
}

function getContent(file: FileHandle, size: number): AsyncIterable<Uint8Array> {
  const end = size - TRAILER_BYTES - 1;
  return file.createReadStream({ start: 0, end, autoClose: false, highWaterMark: READ_BYTES });
}

function getTrailer(digest: string): Uint8Array {
  return Buffer.from(`${TRAILER_START}${digest}\n`);
}

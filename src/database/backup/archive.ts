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
const TRAILER = /^colloquy-backup sha256 ([\da-f]{64})(?: hmac ([\da-f]{64}))?\n$/;
const NO_DIGEST = "0".repeat(64);
/** Sizes of the trailers: with a signature, and as pre-release versions wrote them. */
const TRAILER_BYTES = [getTrailer(NO_DIGEST, NO_DIGEST).length, getTrailer(NO_DIGEST).length];
const READ_BYTES = 1024 * 1024;

/** The checksum of an archive, and its signature if it has one, in hexadecimal digits. */
export interface Seal {
  sha256: string;
  signature: string | undefined;
}

/** Returns the text that the signature of an archive is computed from. It is unlike any ID of a backup. */
export function signedText(sha256: string): string {
  return `archive ${sha256}`;
}

/**
 * Yields the bytes of an archive: a tar file, followed by a line with the checksum of everything before it and the
 * signature of that checksum, which tar ignores.
 */
export async function* packArchive(
  entries: AsyncIterable<ArchiveEntry>,
  sign: (sha256: string) => string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const { name, data } of entries) {
    const tar = await packTar([{ header: { name, size: data.length, mode: 0o600 }, body: data }]);
    const bytes = tar.subarray(0, -TAR_END.length);
    hash.update(bytes);
    yield bytes;
  }
  hash.update(TAR_END);
  yield TAR_END;
  const sha256 = hash.digest("hex");
  yield getTrailer(sha256, sign(sha256));
}

/** Reads the whole archive, without unpacking it. Throws DamagedArchive unless its checksum matches. */
export async function verifyChecksum(file: FileHandle, onRead: (bytes: number) => void): Promise<Seal> {
  const { contentBytes, seal } = await readTrailer(file);
  const hash = createHash("sha256");
  for await (const bytes of getContent(file, contentBytes)) {
    hash.update(bytes);
    onRead(bytes.length);
  }
  if (seal.sha256 !== hash.digest("hex")) throw new DamagedArchive("Its checksum does not match.");
  return seal;
}

/** Yields the files of an archive whose checksum has been verified. */
export async function* unpackArchive(file: FileHandle, onRead: (bytes: number) => void): AsyncGenerator<ArchiveEntry> {
  const { contentBytes } = await readTrailer(file);
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const bytes of getContent(file, contentBytes)) {
      onRead(bytes.length);
      yield bytes;
    }
  }
  for await (const { header, body } of ReadableStream.from(counted()).pipeThrough(createTarDecoder({ strict: true }))) {
    if (header.size > MAX_CONTENT_BYTES) throw new DamagedArchive("A file in it is too large.");
    yield { name: header.name, data: new Uint8Array(await new Response(body).arrayBuffer()) };
  }
}

async function readTrailer(file: FileHandle): Promise<{ contentBytes: number; seal: Seal }> {
  const { size } = await file.stat();
  for (const bytes of TRAILER_BYTES) {
    const contentBytes = size - bytes;
    if (contentBytes <= 0) continue;
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, contentBytes);
    const [, sha256, signature] = TRAILER.exec(buffer.toString("latin1")) ?? [];
    if (sha256 !== undefined) return { contentBytes, seal: { sha256, signature } };
  }
  throw new DamagedArchive("It does not end as a backup does: it is incomplete, or something else.");
}

function getContent(file: FileHandle, contentBytes: number): AsyncIterable<Uint8Array> {
  return file.createReadStream({ start: 0, end: contentBytes - 1, autoClose: false, highWaterMark: READ_BYTES });
}

function getTrailer(sha256: string, signature?: string): Uint8Array {
  return Buffer.from(`colloquy-backup sha256 ${sha256}${signature === undefined ? "" : ` hmac ${signature}`}\n`);
}

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Limits } from "../config/limits.ts";
import { ServiceError } from "../contract/errors.ts";
import { limitError } from "../contract/limit-error.ts";
import type { Member } from "../database/fair-semaphore.ts";
import { type ByteRange, findByteRange } from "./byte-range.ts";
import { buildContentDisposition } from "./content-disposition.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import { OpenCounts } from "./open-counts.ts";
import { getParameters, getQuery } from "./query.ts";
import { readUpload } from "./read-upload.ts";

/** A file that a signed URL names. */
interface SignedFile {
  workspaceId: string;
  fileId: string;
}

/** A file that is sent. */
interface SentFile {
  name: string;
  contentType: string;
  size: number;
  /** SHA-256 in hexadecimal digits; null if nobody knows it. */
  checksum: string | null;
  /** The bytes, or the function that returns a URL from which they are read without the service. */
  bytes: Bytes | ((method: "GET" | "HEAD", headers: { type: string; disposition: string }) => Promise<string>);
}

interface Bytes {
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** What the service expects of an upload, and who sends it. */
interface ExpectedUpload {
  size: number;
  userId: string | null;
}

interface UploadRequest {
  contentType: string | undefined;
  contentLength: number | undefined;
  read(expected: ExpectedUpload, take: (chunk: Uint8Array) => Promise<void>): Promise<void>;
}

export interface FileRoutesOptions<File extends SignedFile> {
  paths: { upload: string; download: string };
  /** Returns the file of a token. Throws if it is not for this use, or has ended. */
  verify(use: "upload" | "download", token: string): File;
  /** Receives an upload. Undefined if clients send them to another host. */
  receive: ((file: File, member: Member, request: UploadRequest) => Promise<void>) | undefined;
  find(file: File, member: Member): Promise<SentFile>;
  crossOrigin: CrossOrigin;
  limits: Limits["uploads"];
}

/** A browser runs nothing of a file that it opens, whatever the type, and loads nothing for it. */
const POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'";
/** Time for which a browser may use its copy without asking: as long as the URL stays the same. */
const CACHE_SECONDS = 300;

/** Adds the routes of the signed URLs of files. */
export async function addFileRoutes<File extends SignedFile>(
  server: FastifyInstance,
  options: FileRoutesOptions<File>,
): Promise<void> {
  const { paths, limits, crossOrigin, receive } = options;
  if (receive) server.allowedMethods.set(paths.upload, "PUT");
  server.allowedMethods.set(paths.download, "GET");
  const ofWorkspaces = new OpenCounts();
  const ofUsers = new OpenCounts();

  /** Returns the file of the request's token, if the web page that sends it may call the workspace. */
  async function verify(use: "upload" | "download", request: FastifyRequest, reply: FastifyReply): Promise<File> {
    const file = options.verify(use, getParameters(getQuery(request.url)).get("token") ?? "");
    if (request.headers.origin !== undefined) {
      await crossOrigin.requireAllowed(request, reply, { id: file.workspaceId });
    }
    return file;
  }

  function enter(counts: OpenCounts, name: string, max: number): () => void {
    const leave = counts.enter(name, max);
    if (leave) return leave;
    throw limitError("uploads", `${max} uploads are in progress at this process, the maximum. Retry.`);
  }

  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = await verify("upload", request, reply);
    const leaveWorkspace = enter(ofWorkspaces, file.workspaceId, limits.maxOfWorkspace);
    let leaveUser: (() => void) | undefined;
    const { headers, raw } = request;
    const length = headers["content-length"];
    try {
      await receive?.(file, toMember(file), {
        contentType: headers["content-type"],
        contentLength: length === undefined ? undefined : Number(length),
        async read({ size, userId }, take) {
          if (userId !== null) leaveUser = enter(ofUsers, `${file.workspaceId} ${userId}`, limits.maxOfUser);
          await readUpload(raw, { size, limits, closing: server.closing }, take);
        },
      });
    } finally {
      leaveUser?.();
      leaveWorkspace();
    }
    return reply.code(204).header("cache-control", "no-store").send();
  }

  async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const signed = await verify("download", request, reply);
    const { bytes, ...file } = await options.find(signed, toMember(signed));
    const disposition = buildContentDisposition(file.name, file.contentType);
    if (typeof bytes === "function") {
      const method = request.method === "HEAD" ? "HEAD" : "GET";
      const url = await bytes(method, { type: file.contentType, disposition });
      reply.headers({ "cache-control": "private, max-age=60", "referrer-policy": "no-referrer" });
      return reply.redirect(url, 302);
    }
    const etag = `"${file.checksum}"`;
    reply.headers({
      etag,
      "accept-ranges": "bytes",
      "cache-control": `private, max-age=${CACHE_SECONDS}`,
      "content-disposition": disposition,
      "content-security-policy": POLICY,
      "cross-origin-resource-policy": "cross-origin",
      "referrer-policy": "no-referrer",
      "content-type": file.contentType,
    });
    const { range, "if-range": ifRange, "if-none-match": known = "" } = request.headers;
    const isKnown = known.split(",").some((tag) => [etag, "*"].includes(tag.trim().replace(/^W\//, "")));
    const isHead = request.method === "HEAD";
    const isPart = !isHead && (ifRange === undefined || ifRange === etag);
    const part = findByteRange(isPart ? range : undefined, file.size);
    if (isKnown || !part || isHead) await bytes.close();
    if (isKnown) return reply.code(304).send();
    if (!part) throw beyondEnd(reply, file.size);
    const length = part.end - part.start + 1;
    reply.header("content-length", length);
    if (length < file.size) {
      reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${file.size}`);
    }
    return isHead ? reply.send() : reply.send(Readable.from(readPart(bytes, part)));
  }

  await server.register(async (routes) => {
    routes.removeAllContentTypeParsers();
    // The route reads the body itself.
    routes.addContentTypeParser("*", (_request: FastifyRequest, _stream: IncomingMessage, done) => done(null));
    if (receive) routes.route({ method: "PUT", url: paths.upload, handler: upload });
    routes.route({ method: ["GET", "HEAD"], url: paths.download, exposeHeadRoute: false, handler: download });
  });
}

/** Returns whom the statements about a file are counted to. */
function toMember({ workspaceId }: SignedFile): Member {
  return { group: workspaceId, name: "files" };
}

function beyondEnd(reply: FastifyReply, size: number): ServiceError {
  for (const name of Object.keys(reply.getHeaders())) if (name.startsWith("content-")) reply.removeHeader(name);
  reply.header("content-range", `bytes */${size}`);
  return new ServiceError("range_unsatisfiable", `The file has only ${size} bytes.`);
}

async function* readPart(bytes: Bytes, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes.read(start, end);
  } finally {
    await bytes.close();
  }
}

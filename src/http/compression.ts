import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { JSON_TYPE } from "./response.ts";

/** Size from which a response is compressed. A page of 50 activities is smaller, and would cost a sixth more. */
export const MIN_COMPRESSED_BYTES = 32 * 1024;
/** Number of responses that are compressed at a time, on the threads of libuv, of which there are four. */
const MAX_RUNNING = 3;

const brotli = promisify<Buffer | string, object, Buffer>(brotliCompress);
const deflate = promisify<Buffer | string, object, Buffer>(gzip);

/** The codings by preference, on the levels at which a smaller result costs more than it saves. */
const CODINGS = {
  br: (body: Buffer | string) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body: Buffer | string) => deflate(body, { level: 1 }),
};
type Coding = keyof typeof CODINGS;

/** Compresses large JSON responses, away from the main thread, for clients that accept it. */
export class Compression {
  #running = 0;

  /**
   * Returns a promise of the compressed response. Returns undefined if it is sent as it is: it is small, no JSON, or
   * compressed already, the client does not ask, or the threads are busy, so that no response waits in memory.
   */
  compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<Buffer> | undefined {
    if ((typeof payload !== "string" && !Buffer.isBuffer(payload)) || payload.length < MIN_COMPRESSED_BYTES) return;
    if (reply.getHeader("content-type") !== JSON_TYPE || reply.hasHeader("content-encoding")) return;
    reply.header("vary", "Origin, Accept-Encoding");
    const coding = chooseCoding(request.headers["accept-encoding"]);
    if (!coding || this.#running >= MAX_RUNNING) return;
    return this.#run(coding, reply, payload);
  }

  async #run(coding: Coding, reply: FastifyReply, payload: string | Buffer): Promise<Buffer> {
    this.#running++;
    try {
      const compressed = await CODINGS[coding](payload);
      reply.header("content-encoding", coding);
      return compressed;
    } finally {
      this.#running--;
    }
  }
}

/** Returns the preferred coding that an Accept-Encoding header names, unless with a weight of 0. */
export function chooseCoding(header: string | string[] | undefined): Coding | undefined {
  if (typeof header !== "string") return undefined;
  const accepted = header.toLowerCase().split(",").map(getAccepted);
  return (["br", "gzip"] as const).find((coding) => accepted.includes(coding));
}

function getAccepted(part: string): string | undefined {
  const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
  return parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter)) ? undefined : name;
}

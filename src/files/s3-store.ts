import { AwsV4Signer } from "aws4fetch";
import type { Bucket } from "../config/file-settings.ts";
import { isOrganizationKey } from "../database/keys.ts";
import {
  buildStorePath,
  type DirectStore,
  type ExpectedBytes,
  type FileKey,
  type ListableStore,
  type ListedBytes,
} from "./file-store.ts";

const TIMEOUT_MS = 60_000;
/** Time for which the URL of a download is valid, to which the service redirects at once. */
const DOWNLOAD_SECONDS = 300;

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

/**
 * Holds the bytes of files in a bucket. Clients upload to a key of their own: the bytes become those of the file by a
 * copy, so that the URL of the upload, which is still valid then, changes nothing.
 */
export class S3Store implements DirectStore, ListableStore {
  readonly kind = "direct";
  readonly #bucket: Bucket;
  readonly #credentials: S3Credentials;

  constructor(bucket: Bucket, credentials: S3Credentials) {
    this.#bucket = bucket;
    this.#credentials = credentials;
  }

  async signUpload(key: FileKey, { contentType, size, checksum }: ExpectedBytes, expiresSeconds: number) {
    const headers = {
      "content-type": contentType,
      ...(checksum !== null && { "x-amz-checksum-sha256": Buffer.from(checksum, "hex").toString("base64") }),
    };
    // Browsers set the length themselves.
    const signed = { ...headers, "content-length": String(size) };
    const query = { "X-Amz-Expires": String(expiresSeconds) };
    return { url: await this.#signUrl(this.#uploadKey(key), { method: "PUT", headers: signed, query }), headers };
  }

  async complete(key: FileKey, expected: ExpectedBytes): Promise<boolean> {
    const from = this.#uploadKey(key);
    const { status, headers } = await this.#send(from, { method: "HEAD" }, [404]);
    const etag = headers.get("etag");
    if (status === 404 || etag === null || !isExpected(headers, expected)) return false;
    const source = encodeURI(`/${this.#bucket.name}/${from}`);
    const copying = { "x-amz-copy-source": source, "x-amz-copy-source-if-match": etag };
    const copied = await this.#send(this.#key(key), { method: "PUT", headers: copying }, [404, 412]);
    if (!copied.ok) return false;
    // A copy may fail after its response has begun.
    if (/<Error>/.test(await copied.text())) throw new Error("The store could not copy an upload.");
    await this.#send(from, { method: "DELETE" }, [404]);
    return true;
  }

  signDownload(key: FileKey, method: "GET" | "HEAD", { type, disposition }: { type: string; disposition: string }) {
    const query = {
      "X-Amz-Expires": String(DOWNLOAD_SECONDS),
      "response-content-type": type,
      "response-content-disposition": disposition,
    };
    return this.#signUrl(this.#key(key), { method, query });
  }

  async delete(key: FileKey): Promise<void> {
    await this.#send(this.#uploadKey(key), { method: "DELETE" }, [404]);
    await this.#send(this.#key(key), { method: "DELETE" }, [404]);
  }

  async check(): Promise<void> {
    const probe = `${this.#bucket.prefix}probe`;
    await this.#send(probe, { method: "PUT", headers: { "content-length": "0" } });
    await this.#send(probe, { method: "DELETE" });
  }

  async *list(): AsyncGenerator<ListedBytes> {
    const { prefix } = this.#bucket;
    for (let next: string | undefined = ""; next !== undefined; ) {
      const query = {
        "list-type": "2",
        prefix,
        ...(next && { "continuation-token": next }),
      };
      const page = await (await this.#send("", { method: "GET", query })).text();
      for (const [, entry = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = readElement(entry, "Key") ?? "";
        const [organizationKey = "", fileId = "", ...more] = key
          .slice(prefix.length)
          .replace(/^uploads\//, "")
          .split("/");
        if (!key.startsWith(prefix) || !isOrganizationKey(organizationKey) || more.length > 0) continue;
        const modifiedAt = Date.parse(readElement(entry, "LastModified") ?? "");
        yield { organizationKey, fileId, size: Number(readElement(entry, "Size")), modifiedAt };
      }
      next = readElement(page, "NextContinuationToken");
    }
  }

  async has(key: FileKey): Promise<boolean> {
    return (await this.#send(this.#key(key), { method: "HEAD" }, [404])).ok;
  }

  #key(key: FileKey): string {
    return `${this.#bucket.prefix}${buildStorePath(key)}`;
  }

  #uploadKey(key: FileKey): string {
    return `${this.#bucket.prefix}uploads/${buildStorePath(key)}`;
  }

  async #signUrl(key: string, request: S3Request): Promise<string> {
    return (await this.#sign(key, request, true)).url.toString();
  }

  async #sign(key: string, { method, headers = {}, query = {} }: S3Request, signQuery: boolean) {
    const url = new URL(key === "" ? this.#bucket.url : `${this.#bucket.url}/${encodeURI(key)}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { region } = this.#bucket;
    const given = { ...this.#credentials, url: url.toString(), method, headers };
    const signed = await new AwsV4Signer({ ...given, service: "s3", region, signQuery, allHeaders: true }).sign();
    // A plus sign is a space to browsers alone.
    signed.url.search = signed.url.search.replaceAll("+", "%20");
    return signed;
  }

  /** Sends a request. Throws unless it succeeds, or fails with an expected code. */
  async #send(key: string, request: S3Request, expected: number[] = []): Promise<Response> {
    const { url, method, headers } = await this.#sign(key, request, false);
    const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok || expected.includes(response.status)) return response;
    const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "no code";
    throw new Error(`The file store responds to ${method} with HTTP ${response.status} (${code}).`);
  }
}

function isExpected(headers: Headers, { contentType, size }: ExpectedBytes): boolean {
  return Number(headers.get("content-length")) === size && headers.get("content-type") === contentType;
}

const XML_CHARACTERS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Returns the text of the first element with this name, which has no elements in it. */
function readElement(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replaceAll(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (_, decimal, hexadecimal, entity) => {
    return XML_CHARACTERS[entity] ?? String.fromCodePoint(Number(decimal ?? `0x${hexadecimal}`));
  });
}

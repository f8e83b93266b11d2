import type { CommentAttachment } from "./api.generated.ts";
import { delayBefore, wait } from "./back-off.ts";
import type { Client } from "./client.ts";
import { asColloquyError } from "./connection.ts";
import { ColloquyError, getError } from "./errors.ts";

/** Number of times that the bytes are sent again if the service is unavailable. */
const MAX_RETRIES = 3;

/** What uploads use of an XMLHttpRequest, which Node does not have. */
interface PageRequest {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { addEventListener(type: "progress", listener: (event: { loaded: number }) => void): void };
  addEventListener(type: "load" | "error" | "abort", listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: Blob): void;
  abort(): void;
}

export interface UploadOptions {
  organizationId: string;
  /** Document in which the file is used. A backend may leave it out. */
  documentId: string;
  /** Name of the file; by default that of a `File`. */
  name?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Reports which part of the file is sent, from 0 to 1. Only pages know it before the end. */
  onProgress?: ((progress: number) => void) | undefined;
}

/**
 * Stores a file, and returns the attachment that references it. Sends the bytes again after a failure. Throws a
 * ColloquyError, or the reason of the signal once it is aborted.
 */
export async function uploadFile(
  client: Pick<Client<"page">, "call">,
  file: Blob,
  { organizationId, documentId, signal, onProgress, ...options }: UploadOptions,
): Promise<CommentAttachment & { fileId: string }> {
  const name = options.name ?? ("name" in file && typeof file.name === "string" ? file.name : "file");
  const contentType = file.type || "application/octet-stream";
  const given = { organizationId, documentId, name, contentType, size: file.size };
  const { data } = await client.call("/v2/files/add", given, { signal });
  const { url, headers } = data.upload;
  const sent: SentBytes = { url, headers, file, signal, onProgress };
  const Xhr: (new () => PageRequest) | undefined = Reflect.get(globalThis, "XMLHttpRequest");
  for (let retry = 0; ; retry += 1) {
    try {
      const response = await (Xhr ? sendByXhr(new Xhr(), sent) : sendByFetch(sent));
      if (!response.ok) throw await getError(response);
      break;
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = asColloquyError(thrown);
      // The bytes have arrived, and only the response to them was lost.
      if (error instanceof ColloquyError && error.reason === "already_exists" && retry > 0) break;
      if (!(error instanceof ColloquyError && error.isRetryable) || retry === MAX_RETRIES) throw error;
      await wait(delayBefore(retry, error), signal);
    }
  }
  onProgress?.(1);
  return { fileId: data.fileId, name, mimeType: contentType, size: file.size };
}

interface SentBytes extends Pick<UploadOptions, "signal" | "onProgress"> {
  url: string;
  headers: Record<string, string>;
  file: Blob;
}

function sendByFetch({ url, headers, file, signal }: SentBytes): Promise<Response> {
  return fetch(url, { method: "PUT", headers, body: file, signal: signal ?? null, credentials: "omit" });
}

/** Sends bytes of a page, where `fetch` does not report how many are sent. */
function sendByXhr(request: PageRequest, { url, headers, file, signal, onProgress }: SentBytes): Promise<Response> {
  const abort = () => request.abort();
  return new Promise<Response>((resolve, reject) => {
    request.open("PUT", url);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.upload.addEventListener("progress", ({ loaded }) => onProgress?.(loaded / file.size));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      resolve(new Response(status === 204 ? null : responseText, { status, headers: getHeaders(request) }));
    });
    request.addEventListener("error", () => reject(new TypeError("The bytes could not be sent.")));
    request.addEventListener("abort", () => reject(signal?.reason));
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", abort);
    request.send(file);
  }).finally(() => signal?.removeEventListener("abort", abort));
}

/** Returns the headers that an error is read from. */
function getHeaders(request: PageRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ["retry-after", "x-request-id"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

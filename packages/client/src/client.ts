import type { AccessRole, Api } from "./api.generated.ts";
import { linkedController } from "./back-off.ts";
import { type ClientOptions, Connection } from "./connection.ts";
import { wasReset } from "./errors.ts";
import { type EventFilter, followEvents, type StreamEvent } from "./events.ts";
import { newIdempotencyKey, takesIdempotencyKey } from "./idempotency-key.ts";
import type { Caller, Path, PathOf, RequestData } from "./request-data.ts";
import { assertBodySize } from "./request-size.ts";

/** `data` of a response. */
export type ResponseData<P extends Path> = Api[P]["response"];
/** A path whose responses have pages. */
export type PagedPath = { [P in Path]: "pageToken" extends keyof RequestData<P> ? P : never }[Path];
/** A record of a list. */
export type Item<P extends Path> = Extract<ResponseData<P>, readonly unknown[]>[number];
/** A path whose pages are lists of records. */
export type ListPath = {
  [P in PagedPath]: ResponseData<P> extends readonly unknown[] ? P : never;
}[PagedPath];

/** A successful response. */
export interface ResponseBody<P extends Path> {
  data: ResponseData<P>;
  /** Text that describes the outcome. */
  message: string;
  /** Token of the next page; undefined on the last one. */
  pageToken: string | undefined;
  /** Cursor to follow events from. Events after it include every change that `data` does not show. */
  eventCursor: string | undefined;
  /** Role of the user of a page on the document, if the response has it. */
  accessRole: AccessRole | undefined;
}

/** Options of a call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Whether the call is sent to its end although the page is being closed. Its body has at most 64 KiB then. */
  keepalive?: boolean | undefined;
  /** Idempotency key of a writing call; random by default. The service carries out calls with the same key once. */
  idempotencyKey?: string | undefined;
}

/** A client of a Colloquy service. That of a page lacks the operations that users may not call. */
export interface Client<C extends Caller = "backend"> {
  /** Address of the service, without a slash at its end. */
  url: string;
  /** Calls an operation. Throws a ColloquyError unless it succeeds. */
  call<P extends PathOf<C>>(path: P, data: RequestData<P, C>, options?: CallOptions): Promise<ResponseBody<P>>;
  /** Yields the pages of a response. */
  pages<P extends PagedPath & PathOf<C>>(
    path: P,
    data: RequestData<P, C>,
    options?: CallOptions,
  ): AsyncGenerator<ResponseBody<P>, void>;
  /** Yields the records of a list, from all of its pages. */
  list<P extends ListPath & PathOf<C>>(
    path: P,
    data: RequestData<P, C>,
    options?: CallOptions,
  ): AsyncGenerator<Item<P>, void>;
  /** Yields what changes, as soon as it does, until the signal is aborted or the loop is left. */
  events(filter: EventFilter): AsyncGenerator<StreamEvent, never>;
  /** Address of the WebSocket of collaborative documents, for Yjs providers. */
  syncUrl: string;
  /**
   * Forgets the user of a page, for another one: aborts all calls and streams, and asks for a user token again. Empties
   * the stores of the client.
   */
  reset(): void;
  /** Calls a listener after each `reset`, until the returned function is called. */
  onReset(listener: () => void): () => void;
  /** Returns the user token of the calls, or a new one to replace the one that was rejected. Backends have none. */
  userToken(rejected?: string): Promise<string>;
}

/** Body of a successful response: `result`, or the same fields at the top level for an asynchronous operation. */
interface Result {
  data?: unknown;
  message?: string;
  pageToken?: string | null;
  nextPageToken?: string | null;
  eventCursor?: string;
  accessRole?: AccessRole;
}

/** Returns a client: of a page if it gets user tokens. It opens no connection before the first call. */
export function createClient(options: Extract<ClientOptions, { authToken?: never }>): Client<"page">;
export function createClient(options: ClientOptions): Client;
export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options);
  const running = new Set<AbortController>();
  const listeners = new Set<() => void>();
  /** Returns the signal of a call or stream, which `reset` aborts too, and the function that ends it. */
  function begin(signal: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
    const { controller, end } = linkedController(signal);
    running.add(controller);
    return {
      signal: controller.signal,
      end() {
        running.delete(controller);
        end();
      },
    };
  }
  async function call<P extends Path>(
    path: P,
    data: RequestData<P>,
    options: CallOptions = {},
  ): Promise<ResponseBody<P>> {
    const { keepalive, idempotencyKey = newIdempotencyKey() } = options;
    const headers: Record<string, string> = takesIdempotencyKey(path) ? { "idempotency-key": idempotencyKey } : {};
    const body = JSON.stringify({ data });
    assertBodySize(path, body);
    const { signal, end } = begin(options.signal);
    try {
      return getResponse(await connection.call({ path, headers, body, keepalive, signal }));
    } finally {
      end();
    }
  }
  async function* pages<P extends PagedPath>(path: P, data: RequestData<P>, options?: CallOptions) {
    const { signal, end } = begin(options?.signal);
    try {
      for (let request = data; ; ) {
        const response = await call(path, request, { ...options, signal });
        yield response;
        if (response.pageToken === undefined) return;
        request = { ...data, pageToken: response.pageToken };
      }
    } finally {
      end();
    }
  }
  async function* events(filter: EventFilter): AsyncGenerator<StreamEvent, never> {
    const { signal, end } = begin(filter.signal);
    try {
      return yield* followEvents(connection, { ...filter, signal });
    } finally {
      end();
    }
  }
  async function* list<P extends ListPath>(path: P, data: RequestData<P>, options?: CallOptions) {
    for await (const page of pages(path, data, options)) yield* getItems(page);
  }
  return {
    url: connection.url,
    syncUrl: connection.syncUrl,
    call,
    pages,
    list,
    events,
    reset() {
      connection.authenticator.reset();
      for (const controller of running) controller.abort(wasReset());
      for (const listener of [...listeners]) listener();
    },
    onReset(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    userToken: (rejected) => connection.authenticator.userToken(rejected),
  };
}

/** Casts a response: the service builds it from the contract that the types are generated from. */
function getResponse<P extends Path>(body: unknown): ResponseBody<P> {
  const { result, ...rest } = body as Result & { result?: Result };
  const { data, message = "", pageToken, nextPageToken, eventCursor, accessRole } = result ?? rest;
  const page = { pageToken: pageToken ?? nextPageToken ?? undefined, eventCursor, accessRole };
  return { data: data as ResponseData<P>, message, ...page };
}

/** Casts the data of a page, which is a list for these paths. */
function getItems<P extends ListPath>({ data }: ResponseBody<P>): Item<P>[] {
  return data as Item<P>[];
}

import type { Client, StreamEvent } from "@colloquy/client";

/** What a stream follows: an organization, or one document, in which the stream also keeps its user online. */
export interface Scope {
  organizationId: string;
  documentId?: string | undefined;
}

/** Callbacks of a subscriber to a stream. */
export interface Listener {
  onEvent(event: StreamEvent): void;
  onError(error: unknown): void;
}

/** One stream for all who follow the same scope. Browsers open only six connections to a host over HTTP/1.1. */
class SharedStream {
  readonly listeners = new Set<Listener>();
  readonly #closing = new AbortController();
  /** Resolves to a cursor. Listeners receive every change after it. */
  readonly cursor: Promise<string>;
  /** Whether the service has refused the stream. */
  hasFailed = false;

  constructor(client: Client, scope: Scope) {
    const { signal } = this.#closing;
    this.cursor = client.call("/v2/events/get", scope, { signal }).then(({ data }) => data.cursor);
    this.#follow(client, scope).catch((error: unknown) => {
      this.hasFailed = true;
      if (!signal.aborted) for (const listener of this.listeners) listener.onError(error);
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #follow(client: Client, scope: Scope): Promise<void> {
    const cursor = await this.cursor;
    for await (const event of client.events({ ...scope, cursor, signal: this.#closing.signal })) {
      for (const listener of this.listeners) listener.onEvent(event);
    }
  }
}

/** The open streams of a client, by scope. */
export class SharedStreams {
  readonly #client: Client;
  readonly #streams = new Map<string, SharedStream>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Follows a scope. Records that are read once `ready` has resolved miss nothing that the listener is not told. */
  follow(scope: Scope, listener: Listener): { ready: Promise<unknown>; leave: () => void } {
    const key = JSON.stringify([scope.organizationId, scope.documentId]);
    const known = this.#streams.get(key);
    const stream = known && !known.hasFailed ? known : new SharedStream(this.#client, scope);
    this.#streams.set(key, stream);
    stream.listeners.add(listener);
    const leave = () => {
      stream.listeners.delete(listener);
      if (stream.listeners.size > 0) return;
      stream.close();
      if (this.#streams.get(key) === stream) this.#streams.delete(key);
    };
    return { ready: stream.cursor, leave };
  }
}

import type { Connection } from "@hocuspocus/server";
import type { ClientMessage } from "./client-message.ts";
import type { OwnAwareness } from "./own-awareness.ts";
import type { SyncContext } from "./sync-caller.ts";

/** Maximum number of documents, and sessions of them, that a socket has named. */
const MAX_DOCUMENTS = 1_000;

export interface OpenConnection {
  connection: Connection<SyncContext>;
  awareness: OwnAwareness | undefined;
}

/** A document that a socket has named. */
export interface NamedDocument extends Pick<ClientMessage, "address" | "documentName"> {
  /** Says whether a token was sent. A document is closed once it was rejected, or its connection has ended. */
  state: "unauthenticated" | "authenticating" | "closed" | OpenConnection;
  /** Messages that wait until it is open, and their size. */
  waiting: ClientMessage[];
  waitingBytes: number;
  /** Resolves when the document is open or rejected, or its socket is closed. */
  settled: PromiseWithResolvers<void>;
}

/** The documents that a socket has named, by address. */
export class NamedDocuments {
  readonly #documents = new Map<string, NamedDocument>();

  find(address: string): NamedDocument | undefined {
    return this.#documents.get(address);
  }

  /** Returns the document of a message, or undefined if the socket has named too many. */
  get({ address, documentName }: ClientMessage): NamedDocument | undefined {
    const known = this.#documents.get(address);
    if (known) return known;
    if (this.#documents.size >= MAX_DOCUMENTS) return undefined;
    const unsettled = { waiting: [], waitingBytes: 0, settled: Promise.withResolvers<void>() };
    const document: NamedDocument = { address, documentName, state: "unauthenticated", ...unsettled };
    this.#documents.set(address, document);
    return document;
  }

  /** Returns the documents that are being authenticated. */
  getAuthenticating(): NamedDocument[] {
    return [...this.#documents.values()].filter(({ state }) => state === "authenticating");
  }

  /**
   * Returns whether the socket uses the same document without a session, or this one has none and the socket uses
   * another session. Hocuspocus delivers messages of a session to the connection without one.
   */
  isMixed(document: NamedDocument): boolean {
    const hasSession = ({ address, documentName }: NamedDocument) => address !== documentName;
    return this.#documents.values().some((other) => {
      const isUsed = typeof other.state === "object" || other.state === "authenticating";
      return isUsed && other.documentName === document.documentName && hasSession(other) !== hasSession(document);
    });
  }

  /** Keeps a message until its document is open. Returns the size of all that wait for documents in the same state. */
  queue(document: NamedDocument, message: ClientMessage): number {
    document.waiting.push(message);
    document.waitingBytes += message.bytes.length;
    const alike = this.#documents.values().filter(({ state }) => state === document.state);
    return alike.reduce((sum, { waitingBytes }) => sum + waitingBytes, 0);
  }

  /** Sets the state of a document after its authentication or its end. Returns the messages that waited for it. */
  settle(document: NamedDocument, state: OpenConnection | "closed"): ClientMessage[] {
    const { waiting } = document;
    document.state = state;
    document.waiting = [];
    document.waitingBytes = 0;
    document.settled.resolve();
    return waiting;
  }

  /** Settles all documents, because the socket is closed. */
  closeAll(): void {
    for (const document of this.#documents.values()) this.settle(document, "closed");
  }
}

import { type Connection, type Hocuspocus, OutgoingMessage } from "@hocuspocus/server";
import type { Logger } from "pino";
import { ServiceError } from "../../../contract/errors.ts";
import {
  type ClientMessage,
  encodeAwareness,
  getDeniedAddress,
  readMessage,
  type SentState,
} from "./client-message.ts";
import { readDocumentName } from "./document-name.ts";
import { mergeUpdates } from "./merged-updates.ts";
import { type NamedDocument, NamedDocuments, type OpenConnection } from "./named-documents.ts";
import { OwnAwareness } from "./own-awareness.ts";
import {
  closeForRetry,
  closeRejected,
  getErrorReason,
  getSender,
  POLICY_VIOLATION,
  type SyncCaller,
  type SyncContext,
  SyncError,
  type SyncSocket,
} from "./sync-caller.ts";
import { isKnown, measureWithoutBlocking } from "./update-check.ts";

/** Hocuspocus asks for a request, which nothing reads. */
const UNUSED_URL = "http://sync";
/** Maximum size of messages that wait for tokens, and of those that wait while tokens are checked. */
const MAX_WAITING_BYTES = 16 * 1024;
/** Number of rejected tokens after which a socket without a valid one is closed. */
const MAX_REJECTED_TOKENS = 3;
/** Maximum number of documents that a socket authenticates at a time. */
const MAX_AUTHENTICATING = 20;

type HocuspocusClient = ReturnType<Hocuspocus<SyncContext>["handleConnection"]>;

export interface ClientSocketOptions {
  socket: SyncSocket;
  caller: SyncCaller;
  /** Returns the instance of the workspace of a token. Throws ServiceError. */
  findInstance(token: string): Promise<Hocuspocus<SyncContext>>;
  /** Counts a connection that is closed because of what its client has sent. */
  count(reason: string): void;
  log: Logger;
}

/**
 * A socket of a client. Reads each message before Hocuspocus gets it, which prints an error for a message that it
 * cannot read, and closes the socket because of an invalid one. Messages are handled in the order in which they were
 * sent. While one waits, no further ones are read.
 */
export class ClientSocket {
  readonly #options: ClientSocketOptions;
  readonly #documents = new NamedDocuments();
  #client: HocuspocusClient | undefined;
  #arrived: ClientMessage[] = [];
  #hasNew = false;
  #isHandling = false;
  /** Number of rejected tokens, while there was no valid one. */
  #rejectedTokens = 0;
  #isClosed = false;

  constructor(options: ClientSocketOptions) {
    this.#options = options;
  }

  message(data: Uint8Array): void {
    if (this.#isClosed) return;
    const message = readMessage(data);
    if (message) this.#add(message);
    else this.#close("message_invalid");
  }

  closed(code: number, reason: string): void {
    this.#end();
    this.#client?.handleClose({ code, reason });
  }

  #add(message: ClientMessage): void {
    this.#hasNew = true;
    // Messages that have arrived together can be merged.
    if (this.#arrived.push(message) === 1 && !this.#isHandling) queueMicrotask(() => void this.#handleArrived());
  }

  async #handleArrived(): Promise<void> {
    if (this.#isHandling) return;
    this.#isHandling = true;
    try {
      while (!this.#isClosed) {
        if (this.#hasNew) this.#arrived = mergeUpdates(this.#arrived);
        this.#hasNew = false;
        const message = this.#arrived.shift();
        if (!message) break;
        const handled = this.#handle(message);
        if (handled) await this.#whilePaused(handled);
      }
    } catch (err) {
      if (this.#isClosed) return;
      if (err instanceof ServiceError) this.#options.count(err.reason);
      else this.#options.log.warn({ err }, "a message could not be handled; its client connects again");
      this.#closeForRetry();
    } finally {
      this.#isHandling = false;
    }
  }

  /** Stops reading until the work is done. A socket must then read the close frame of its client. */
  async #whilePaused(work: Promise<void>): Promise<void> {
    this.#options.socket.pause();
    await work.finally(() => this.#options.socket.resume());
  }

  #handle(message: ClientMessage): Promise<void> | undefined {
    if (message.kind === "token") return this.#authenticate(message);
    // The messages that follow a rejected token belong to its document.
    if (!this.#client) return this.#rejectedTokens > 0 ? undefined : this.#close("token_required");
    const document = this.#getDocument(message);
    if (!document || document.state === "closed") return undefined;
    return typeof document.state === "object" ? this.#passOn(document.state, message) : this.#queue(document, message);
  }

  async #authenticate(message: Extract<ClientMessage, { kind: "token" }>): Promise<void> {
    this.#client ??= await this.#connect(message);
    if (!this.#client || this.#isClosed) return;
    const { address, documentName } = message;
    for (;;) {
      const authenticating = this.#documents.getAuthenticating();
      if (authenticating.length < MAX_AUTHENTICATING) break;
      await Promise.race(authenticating.map(({ settled }) => settled.promise));
    }
    if (this.#isClosed) return;
    const document = this.#getDocument(message);
    // Nothing reads the token of an open document, which its connection asks for again.
    if (!document || typeof document.state === "object" || document.state === "authenticating") return;
    // Names that JavaScript gives to every object would lead Hocuspocus astray.
    if (!readDocumentName(documentName) || this.#documents.isMixed(document))
      return this.#deny(address, "document_name_invalid");
    document.state = "authenticating";
    document.settled = Promise.withResolvers();
    this.#client.handleMessage(message.bytes);
  }

  /** Connects the socket to the workspace of its token. Returns undefined if the token is rejected. */
  async #connect({ address, token }: Extract<ClientMessage, { kind: "token" }>): Promise<HocuspocusClient | undefined> {
    const { socket, caller, findInstance, count, log } = this.#options;
    try {
      const instance = await findInstance(token);
      if (this.#isClosed) return undefined;
      const opened: SyncContext["opened"] = (connection) => this.#open(connection);
      return instance.handleConnection(this, new Request(UNUSED_URL), { socket, caller, opened, count });
    } catch (error) {
      const reason = getErrorReason(error);
      if (reason === undefined) {
        log.warn({ err: error }, "a token could not be checked; its client connects again");
        return this.#closeForRetry();
      }
      this.#deny(address, reason);
      return ++this.#rejectedTokens < MAX_REJECTED_TOKENS ? undefined : this.#close("token_required");
    }
  }

  /** Returns the document of a message, or undefined after closing a socket that has named too many. */
  #getDocument(message: ClientMessage): NamedDocument | undefined {
    return this.#documents.get(message) ?? this.#close("too_many_documents");
  }

  /** Keeps a message until its document is open. Waits for that if much is kept. */
  #queue(document: NamedDocument, message: ClientMessage): Promise<void> | undefined {
    if (this.#documents.queue(document, message) <= MAX_WAITING_BYTES) return undefined;
    return document.state === "authenticating" ? document.settled.promise : this.#close("token_required");
  }

  /** Takes an open connection of a document, and handles the messages that have waited for it. */
  #open(connection: Connection<SyncContext>): void {
    const document = this.#documents.find(connection.messageAddress);
    if (!document) return;
    const { user, showsEmails = false } = connection.context;
    const awareness = user && new OwnAwareness(connection.document, { ...user, showsEmails });
    connection.onClose(() => {
      awareness?.end();
      this.#documents.settle(document, "closed");
    });
    const isOpen = connection.document.hasConnection(connection);
    this.#arrived.unshift(...this.#documents.settle(document, isOpen ? { connection, awareness } : "closed"));
    this.#hasNew = true;
    void this.#handleArrived();
  }

  #passOn({ connection, awareness }: OpenConnection, message: ClientMessage): Promise<void> | undefined {
    switch (message.kind) {
      // Nothing reads the former. A client gets the states of all others when it opens the document.
      case "stateless":
      case "awarenessRequest":
        return undefined;
      case "awareness":
        return awareness && this.#passOnAwareness(connection, awareness, message.states);
      case "close":
        this.#client?.handleMessage(message.bytes);
        // The document may be opened again by the next message.
        return connection.waitForPendingMessages();
      case "stateRequest":
        return this.#respond(connection, message);
      case "state":
        if (connection.readOnly) return this.#compare(connection, message.update);
        return void this.#client?.handleMessage(message.bytes);
      default:
        return void this.#client?.handleMessage(message.bytes);
    }
  }

  /** Delivers a message to which Hocuspocus responds by all of the document, when the process has capacity for it. */
  async #respond(connection: Connection<SyncContext>, { bytes }: ClientMessage): Promise<void> {
    // No other response must wait for updates of this client, which are being saved.
    await connection.waitForPendingMessages();
    await this.#options.socket.respond(async () => {
      if (!connection.document.hasConnection(connection)) return;
      this.#client?.handleMessage(bytes);
      await connection.waitForPendingMessages();
    });
  }

  /**
   * Tells a viewer whether the document has all that the client synchronizes, of which nothing is applied. Hocuspocus
   * would compare it with a snapshot of the whole document.
   */
  async #compare(connection: Connection<SyncContext>, update: Uint8Array): Promise<void> {
    try {
      const measure = await measureWithoutBlocking(update, getSender(connection.context));
      if (connection.context.identity?.isOther(measure)) throw new SyncError("document_replaced");
      const isSaved = isKnown(connection.document, measure);
      if (!connection.document.hasConnection(connection)) return;
      connection.send(new OutgoingMessage(connection.messageAddress).writeSyncStatus(isSaved).toUint8Array());
    } catch (error) {
      const reason = getErrorReason(error);
      if (reason === undefined) throw error;
      closeRejected(connection, reason);
    }
  }

  /** Delivers the own state of a client. Closes its connection if the state is too large. */
  #passOnAwareness(
    connection: Connection<SyncContext>,
    awareness: OwnAwareness,
    states: readonly SentState[],
  ): Promise<void> | undefined {
    // An earlier state may not be applied yet.
    if (awareness.isRemoval(states)) return connection.waitForPendingMessages().then(() => awareness.remove());
    try {
      const update = awareness.select(states);
      if (update) this.#client?.handleMessage(encodeAwareness(connection.messageAddress, update));
    } catch (error) {
      const reason = getErrorReason(error);
      if (reason === undefined) throw error;
      if (reason === "message_invalid") return this.#close(reason);
      closeRejected(connection, reason);
    }
  }

  #deny(address: string, reason: string): void {
    this.send(new OutgoingMessage(address).writePermissionDenied(reason).toUint8Array());
  }

  /** Closes the socket because of what its client has sent. */
  #close(reason: string): undefined {
    this.#end();
    this.#options.count(reason);
    this.#options.socket.close(POLICY_VIOLATION, reason);
  }

  #closeForRetry(): undefined {
    this.#end();
    closeForRetry(this.#options.socket);
  }

  /** Handles no further messages, and ends what waits for a document. */
  #end(): void {
    this.#isClosed = true;
    this.#documents.closeAll();
  }

  // Hocuspocus uses a socket by these members.

  get readyState(): number {
    return this.#options.socket.readyState;
  }

  send(message: Parameters<SyncSocket["send"]>[0]): void {
    this.#options.socket.send(message);
    const address = message instanceof Uint8Array ? getDeniedAddress(message) : undefined;
    const document = address === undefined ? undefined : this.#documents.find(address);
    if (document) this.#documents.settle(document, "closed");
  }

  close(code?: number, reason?: string): void {
    this.#end();
    this.#options.socket.close(code, reason);
  }
}

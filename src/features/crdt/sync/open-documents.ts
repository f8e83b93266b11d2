import type { Document } from "@hocuspocus/server";
import type { Logger } from "pino";
import { applyAwarenessUpdate, encodeAwarenessUpdate } from "y-protocols/awareness";
import type { OrganizationKey } from "../../../database/keys.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { type StoredDocument, selectPositions } from "../stored/crdt-update-queries.ts";
import type { ChannelKey } from "../stored/notify-processes.ts";
import { IdleDocuments } from "./idle-documents.ts";
import { FROM_LOG, OpenDocument, type OpenDocumentRef } from "./open-document.ts";
import { ProcessChannel } from "./process-channel.ts";

/** Interval at which open documents poll for changes whose notification was lost. */
const POLL_MS = 1_000;

interface Opened {
  open: OpenDocument;
  document: Document;
}

/** The documents that clients of this process have open, or had a moment ago. */
export class OpenDocuments {
  readonly idle = new IdleDocuments();
  readonly #database: TransactionalQueryable;
  readonly #log: Logger;
  readonly #channel: ProcessChannel;
  readonly #opened = new Map<ChannelKey, Opened>();
  readonly #byDocument = new WeakMap<Document, OpenDocument>();
  readonly #compaction = new KeyedMutex();
  readonly #poll: NodeJS.Timeout;
  #isLooking = false;
  #isStopping = false;
  #unloaded: (() => void) | undefined;

  constructor(database: TransactionalQueryable, log: Logger) {
    this.#database = database;
    this.#log = log;
    this.#channel = new ProcessChannel(database, log, {
      changed: (key) => void this.#catchUp(key),
      awarenessReceived: (key, update) => this.#receiveAwareness(key, update),
      awarenessRequested: (key) => this.#respondToAwareness(key),
    });
    this.#poll = setInterval(() => void this.#lookForMissed(), POLL_MS).unref();
  }

  get size(): number {
    return this.#opened.size;
  }

  documents(): Document[] {
    return [...this.#opened.values()].map(({ document }) => document);
  }

  /** Loads the stored document and keeps it up to date until it is destroyed. */
  async add(document: Document, ref: OpenDocumentRef, stored: StoredDocument): Promise<void> {
    const open = new OpenDocument(this.#database, ref, { document, stored });
    const opened = { open, document };
    this.#opened.set(open.key, opened);
    this.#byDocument.set(document, open);
    document.once("destroy", () => {
      if (this.#opened.get(open.key) === opened) this.#opened.delete(open.key);
      if (!this.#isStopping) void this.#leave(open);
      if (this.#opened.size === 0) this.#unloaded?.();
    });
    this.#channel.requestAwareness(open.key);
    // Reads what was written before the document was known here.
    await open.catchUp();
  }

  get(document: Document): OpenDocument {
    const open = this.#byDocument.get(document);
    if (!open) throw new Error(`the document ${document.name} is not open`);
    return open;
  }

  /** Compacts the log of a document if it is long. Compacts one document at a time, because many would delay typing. */
  compactIfLong(document: Document): Promise<void> {
    return this.#compaction.take("", () => this.get(document).compactIfLong());
  }

  sendChange(document: Document): void {
    this.#channel.sendChange(this.get(document).key);
  }

  sendAwareness(document: Document, clients: number[]): void {
    const key = this.#byDocument.get(document)?.key;
    if (key !== undefined) this.#channel.sendAwareness(key, encodeAwarenessUpdate(document.awareness, clients));
  }

  /** Receives a payload that another process has sent. */
  receive(payload: string): void {
    this.#channel.receive(payload);
  }

  stop(): void {
    this.#isStopping = true;
    clearInterval(this.#poll);
    this.idle.stop();
  }

  /** Unloads the documents of an organization that have no connections. */
  unloadIdle(organizationKey: OrganizationKey): void {
    for (const { open, document } of this.#opened.values()) {
      if (open.ref.organizationKey === organizationKey) this.idle.unload(document);
    }
  }

  /** Returns the keys of the organizations with documents in memory. */
  organizations(): Set<OrganizationKey> {
    return new Set(this.#opened.values().map(({ open }) => open.ref.organizationKey));
  }

  /** Resolves when no document is open any more. */
  async unloaded(): Promise<void> {
    if (this.#opened.size > 0) await new Promise<void>((resolve) => (this.#unloaded = resolve));
  }

  async #leave(open: OpenDocument): Promise<void> {
    await open.leave().catch((err: unknown) => {
      this.#log.warn({ err }, "a document could not be marked as left; its version comes a few minutes later");
    });
  }

  async #catchUp(key: ChannelKey): Promise<void> {
    const opened = this.#opened.get(key);
    if (!opened) return;
    try {
      if (await opened.open.catchUp()) return;
      this.idle.discard(opened.document);
      closeAll(opened.document, "not_found");
    } catch (err) {
      this.#log.warn({ err }, "the changes of a document could not be read; they will be read later");
    }
  }

  async #lookForMissed(): Promise<void> {
    if (this.#isLooking || this.#opened.size === 0) return;
    this.#isLooking = true;
    try {
      await this.#compareAll([...this.#opened.values()]);
    } catch (err) {
      this.#log.warn({ err }, "the positions of open documents could not be read");
    } finally {
      this.#isLooking = false;
    }
  }

  /** Compares the documents of all organizations with the stored ones, in one statement. */
  async #compareAll(opened: readonly Opened[]): Promise<void> {
    const refs = opened.map(({ open }) => open.ref);
    const loggedBefore = opened.map(({ open }) => open.logged);
    const positions = await selectPositions(acrossOrganizations(this.#database), refs);
    const byIndex = new Map(positions.map((position) => [position.index, position]));
    for (const [index, { open }] of opened.entries()) {
      const position = byIndex.get(index);
      if (!position || !open.isAt(position, loggedBefore[index] ?? 0)) await this.#catchUp(open.key);
    }
  }

  #receiveAwareness(key: ChannelKey, update: Uint8Array): void {
    const opened = this.#opened.get(key);
    if (opened) applyAwarenessUpdate(opened.document.awareness, update, FROM_LOG);
  }

  #respondToAwareness(key: ChannelKey): void {
    const opened = this.#opened.get(key);
    if (!opened) return;
    for (const client of opened.document.awareness.getStates().keys()) this.sendAwareness(opened.document, [client]);
  }
}

/** Closes the connections of a document with a reason. Their clients do not reconnect automatically. */
function closeAll(document: Document, reason: string): void {
  for (const connection of document.getConnections()) connection.close({ code: 1000, reason });
}

import type { beforeUnloadDocumentPayload, Document, Hocuspocus } from "@hocuspocus/server";

/** Time for which a document stays in memory without connections, so that a reloaded web page finds it there. */
const IDLE_MS = 30_000;
/** Maximum number of documents without connections. Beyond it, the one that has been idle longest is unloaded. */
const MAX_IDLE = 100;

interface Idle {
  instance: Pick<Hocuspocus, "unloadDocument">;
  timer: NodeJS.Timeout;
}

/** Postpones the unloading of a document. It has no message, because Hocuspocus prints messages. */
class StillNeeded extends Error {}

/** Keeps documents in memory for a while after their last connection has ended. */
export class IdleDocuments {
  /** Documents whose last connection has ended, in that order. Some may have connections again. */
  readonly #idle = new Map<Document, Idle>();
  /** Documents whose time is over. */
  readonly #due = new WeakSet<Document>();
  /** Documents that are not kept once they have no connections. */
  readonly #discarded = new WeakSet<Document>();
  #isStopping = false;

  /**
   * Hook of Hocuspocus that runs when a document has no connections. Throws unless the document may leave memory now,
   * and restarts its idle time.
   */
  beforeUnload({ instance, document }: Pick<beforeUnloadDocumentPayload, "instance" | "document">): void {
    if (this.#isStopping || this.#due.has(document) || this.#discarded.has(document)) return;
    this.#forget(document);
    const timer = setTimeout(() => this.unload(document), IDLE_MS).unref();
    this.#idle.set(document, { instance, timer });
    const [oldest] = this.#idle.keys();
    if (oldest && this.#idle.size > MAX_IDLE) this.unload(oldest);
    throw new StillNeeded();
  }

  /** Unloads a document if it has no connections. */
  unload(document: Document): void {
    const instance = this.#forget(document);
    if (!instance) return;
    this.#due.add(document);
    void instance.unloadDocument(document).finally(() => this.#due.delete(document));
  }

  /** Unloads a document as soon as it has no connections. */
  discard(document: Document): void {
    this.#discarded.add(document);
    this.unload(document);
  }

  /** Unloads all documents without connections. From now on, a document is unloaded with its last connection. */
  stop(): void {
    this.#isStopping = true;
    for (const document of this.#idle.keys()) this.unload(document);
  }

  #forget(document: Document): Idle["instance"] | undefined {
    const idle = this.#idle.get(document);
    clearTimeout(idle?.timer);
    this.#idle.delete(document);
    return idle?.instance;
  }
}

import * as Y from "yjs";
import type { EndUser } from "../../../contract/end-user.ts";
import { newId } from "../../../database/new-id.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { type TransactionalOrganization, transactionalOrganization } from "../../tenancy/organization-scope.ts";
import type { QualifiedDocumentRef } from "../collaborative-document-ref.ts";
import { ensureAuthor } from "../stored/author-queries.ts";
import { compactUpdates } from "../stored/compact.ts";
import { appendUpdate, type StoredDocument, selectChanges } from "../stored/crdt-update-queries.ts";
import { type ChannelKey, toChannelKey } from "../stored/notify-processes.ts";
import { beginEditing } from "../versions/automatic/add-automatic-version.ts";
import { markLeft } from "../versions/automatic/edit-queries.ts";
import type { NamedDocumentRef } from "./document-name.ts";
import { SyncError } from "./sync-caller.ts";
import { DocumentSize, type MeasuredUpdate } from "./update-check.ts";

/** Maximum length of a log before it is compacted into the state. */
const MAX_LOGGED_UPDATES = 100;
const MAX_LOGGED_BYTES = 256 * 1024;

/** Interval at which a document that changes is marked as edited. It is much shorter than what ends the editing. */
const MARK_MS = 60_000;

/** Origin of changes that are in the log already. Hocuspocus sends them to its clients and stores nothing. */
export const FROM_LOG = { source: "redis" } as const;

/** Names an open document by the IDs that its client sent and the key of its organization. */
export type OpenDocumentRef = QualifiedDocumentRef & NamedDocumentRef;

/** Position of a stored document. */
interface StoredPosition extends Pick<StoredDocument, "version" | "clientId"> {
  logged: number;
}

/** Returns whether the log is so long that it should be compacted. */
export function isLogLong({ updates }: Pick<StoredDocument, "updates">): boolean {
  const bytes = updates.reduce((length, update) => length + update.length, 0);
  return updates.length > MAX_LOGGED_UPDATES || bytes > MAX_LOGGED_BYTES;
}

/** A Yjs document that clients of this process have open, and how much of the stored one it contains. */
export class OpenDocument {
  readonly ref: OpenDocumentRef;
  readonly key: ChannelKey;
  readonly document: Y.Doc;
  readonly #organization: TransactionalOrganization;
  /** Yjs client of the service in the document. */
  readonly clientId: number;
  readonly #size: DocumentSize;
  #version: number;
  /** Sizes of the logged updates that the document contains, by ID. */
  readonly #logged = new Map<string, number>();
  /** Number of updates that are being appended. */
  #appending = 0;
  #reading: Promise<boolean> | undefined;
  #isStale = false;
  /** Time until which the document is marked as edited. */
  #markedUntilMs = 0;
  #marking: Promise<void> | undefined;

  constructor(
    database: TransactionalQueryable,
    ref: OpenDocumentRef,
    { document, stored }: { document: Y.Doc; stored: Omit<StoredDocument, "attributions" | "authorIds"> },
  ) {
    this.#organization = transactionalOrganization(database, ref.organizationKey);
    this.ref = ref;
    this.key = toChannelKey(ref);
    this.document = document;
    this.clientId = stored.clientId;
    this.#version = stored.version;
    this.#size = new DocumentSize(document);
    Y.applyUpdate(document, stored.state, FROM_LOG);
    this.#applyLogged(stored);
  }

  /** Appends an update to the log and, after the commit, applies it. Throws if it is rejected. */
  async append(
    { update, measure }: MeasuredUpdate,
    { authorId, origin }: { authorId: string | null; origin: object },
  ): Promise<void> {
    await this.#markEdited();
    const added = this.#size.add(update, measure);
    const id = newId();
    this.#appending++;
    try {
      const { documentId, editorId } = this.ref;
      const call = { documentId, editorId, clientId: this.clientId, id, update, authorId };
      const { block, isAppended } = await appendUpdate(this.#organization, call);
      assertAccessible(block, this.ref.organizationId);
      if (!isAppended) throw new SyncError("not_found");
      if (!this.#apply(update, origin)) throw new SyncError("update_invalid");
      this.#logged.set(id, update.length);
    } finally {
      this.#size.end(added);
      this.#appending--;
    }
  }

  /** Marks the document as left, if this process has changed it. */
  async leave(): Promise<void> {
    if (this.#markedUntilMs > 0) await markLeft(this.#organization, this.ref);
  }

  /** Marks the document as edited, unless that was done a moment ago. */
  async #markEdited(): Promise<void> {
    const now = performance.now();
    if (now < this.#markedUntilMs) return;
    this.#marking ??= beginEditing(this.#organization, this.ref).finally(() => {
      this.#marking = undefined;
    });
    await this.#marking;
    this.#markedUntilMs = now + MARK_MS;
  }

  /** Returns the ID of a user as an author of the document. */
  ensureAuthor({ userId }: EndUser): Promise<string | null> {
    return ensureAuthor(this.#organization, this.ref, userId);
  }

  /** Reads what others have written. Returns false if the document was deleted. */
  catchUp(): Promise<boolean> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Number of logged updates that the document contains. */
  get logged(): number {
    return this.#logged.size;
  }

  /**
   * Returns whether the stored document has nothing that this one does not know, unless as many updates are being
   * appended here. `loggedBefore` is `logged` from before the stored one was read.
   */
  isAt({ version, clientId, logged }: StoredPosition, loggedBefore: number): boolean {
    if (version !== this.#version || clientId !== this.clientId) return false;
    return logged >= loggedBefore && logged <= this.#logged.size + this.#appending;
  }

  /** Compacts the log if it is long. */
  async compactIfLong(): Promise<void> {
    const bytes = this.#logged.values().reduce((sum, size) => sum + size, 0);
    if (this.#logged.size <= MAX_LOGGED_UPDATES && bytes <= MAX_LOGGED_BYTES) return;
    const compacted = await compactUpdates(this.#organization, this.ref);
    // A state that contains only what is known need not be read.
    if (
      !compacted ||
      compacted.version !== this.#version + 1 ||
      !compacted.updateIds.every((id) => this.#logged.has(id))
    )
      return;
    this.#version = compacted.version;
    for (const id of compacted.updateIds) this.#logged.delete(id);
  }

  async #readWhileStale(): Promise<boolean> {
    while (this.#isStale) {
      this.#isStale = false;
      const updateIds = [...this.#logged.keys()];
      const known = { version: this.#version, clientId: this.clientId, updateIds };
      const changes = await selectChanges(this.#organization, this.ref, known);
      if (!changes) return false;
      if (changes.state && this.#version < changes.version) {
        Y.applyUpdate(this.document, changes.state, FROM_LOG);
        this.#size.invalidate();
        this.#version = changes.version;
      }
      const left = new Set(changes.loggedIds);
      for (const id of updateIds) if (!left.has(id)) this.#logged.delete(id);
      this.#applyLogged(changes);
    }
    return true;
  }

  #applyLogged({ updateIds, updates }: Pick<StoredDocument, "updateIds" | "updates">): void {
    updates.forEach((update, index) => {
      const id = updateIds[index];
      if (id === undefined || this.#logged.has(id)) return;
      this.#logged.set(id, update.length);
      this.#size.addLogged(update);
      this.#apply(update, FROM_LOG);
    });
  }

  /** Applies an update. Returns false if Yjs cannot. */
  #apply(update: Uint8Array, origin: object): boolean {
    try {
      Y.applyUpdate(this.document, update, origin);
      return true;
    } catch {
      return false;
    }
  }
}

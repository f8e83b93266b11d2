import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import { getThreadModule } from "../../config/program-files.ts";
import { unavailable } from "../../contract/errors.ts";
import { FairSemaphore } from "../../database/fair-semaphore.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import { getLength } from "../../json/record-texts.ts";
import type { RenewedAnchor, StoredAnchor } from "./anchors/renew-anchors.ts";
import type { ContentChange } from "./comparison/compare-contents.ts";
import { DocumentError } from "./document-error.ts";
import {
  type ChangedDocument,
  changeYjsDocument,
  compactYjsDocument,
  compareYjsDocument,
  renewYjsAnchors,
  restoreYjsDocument,
  type YjsDocumentBefore,
  type YjsDocumentChange,
  type YjsDocumentCompaction,
  type YjsDocumentComparison,
  type YjsDocumentRestore,
} from "./yjs-document.ts";
import type { ThreadResult, ThreadTask, Work } from "./yjs-document-thread.ts";

/**
 * Maximum number of characters and values of the data, together with the bytes of the encoded state, with which a
 * document is changed without a thread.
 * Measured below it: 4 ms for an array of usual objects, 45 ms for 10,000 empty ones. Above it: 77 ms for 1 MiB of
 * usual objects, 0.6 s for 1 MiB of XML elements.
 */
const MAX_INLINE_LENGTH = 32 * 1024;
/** Memory limit of a thread. The largest document was measured to need 512 MB. */
const MAX_THREAD_MEGABYTES = 1024;
const THREAD_IDLE_MS = 60_000;

/** The workspace and organization of a document. */
export interface DocumentOwner {
  workspaceId: string;
  organizationKey: OrganizationKey;
}

type Input<Name extends keyof Work> = Parameters<Work[Name]>[0];
type Output<Name extends keyof Work> = ReturnType<Work[Name]>;

interface ThreadLimits {
  /** Maximum number of documents of an organization that wait for a thread. */
  maxWaiting: number;
  /** Maximum time for a document, waiting included. */
  timeoutMs: number;
}

const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

/**
 * Changes large documents in threads. Starts a thread with the first document. Workspaces take turns, and so do the
 * organizations of a workspace, so that one with many documents does not delay the others.
 */
export class DocumentThreads {
  readonly #limits: ThreadLimits;
  readonly #pool = new Piscina<ThreadTask, ThreadResult>({
    filename: getThreadModule("features/crdt/yjs-document-thread"),
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MEGABYTES },
  });

  readonly #turns: FairSemaphore;
  /** Documents that wait or are in a thread, by organization. */
  readonly #counts = new Map<OrganizationKey, number>();

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
    this.#turns = new FairSemaphore(
      { maxPermits: MAX_THREADS, maxWaiting: Number.POSITIVE_INFINITY, maxWaitMs: limits.timeoutMs },
      unavailable("overloaded", "Working on large documents took too long."),
    );
  }

  /** Throws UNAVAILABLE if too many documents wait or the work takes too long. Its thread then ends. */
  async run<Name extends keyof Work>(owner: DocumentOwner, name: Name, input: Input<Name>): Promise<Output<Name>> {
    const { organizationKey } = owner;
    const count = this.#counts.get(organizationKey) ?? 0;
    if (count >= this.#limits.maxWaiting + MAX_THREADS) {
      throw unavailable("overloaded", "Too many large documents are being changed.");
    }
    this.#counts.set(organizationKey, count + 1);
    try {
      return await this.#runInTurn(owner, name, input);
    } finally {
      const left = (this.#counts.get(organizationKey) ?? 0) - 1;
      if (left > 0) this.#counts.set(organizationKey, left);
      else this.#counts.delete(organizationKey);
    }
  }

  /** The cast holds because a thread returns what the function of this name does. */
  async #runInTurn<Name extends keyof Work>(
    { workspaceId, organizationKey }: DocumentOwner,
    name: Name,
    input: Input<Name>,
  ): Promise<Output<Name>> {
    const signal = AbortSignal.timeout(this.#limits.timeoutMs);
    const permit = await this.#turns.acquire({ group: workspaceId, name: organizationKey });
    const result = await this.#pool
      .run({ name, input }, { signal })
      .catch((error: unknown) => {
        throw signal.aborted
          ? unavailable("overloaded", "Working on the document took too long.", { cause: error })
          : error;
      })
      .finally(() => permit.release());
    if ("error" in result) throw new DocumentError(result.error);
    return result.output as Output<Name>;
  }
}

const threads = new DocumentThreads({ maxWaiting: 32, timeoutMs: 60_000 });

/** Changes a document without blocking the event loop for long: large ones in a thread. */
export async function changeWithoutBlocking(owner: DocumentOwner, change: YjsDocumentChange): Promise<ChangedDocument> {
  const length = getLength(change.data, MAX_INLINE_LENGTH) + getStoredLength(change.before);
  // A state of a caller may be small and take long.
  const isFast = length + getAnchorsLength(change.anchors) <= MAX_INLINE_LENGTH && !change.base;
  return isFast ? changeYjsDocument(change) : threads.run(owner, "change", change);
}

/** Compacts a document without blocking the event loop for long: large ones in a thread. */
export async function compactWithoutBlocking(
  owner: DocumentOwner,
  compact: YjsDocumentCompaction,
): Promise<ChangedDocument> {
  return getStoredLength(compact.before) <= MAX_INLINE_LENGTH
    ? compactYjsDocument(compact)
    : threads.run(owner, "compact", compact);
}

/** Restores a document without blocking the event loop for long: large ones in a thread. */
export async function restoreWithoutBlocking(
  owner: DocumentOwner,
  restore: YjsDocumentRestore,
): Promise<ChangedDocument> {
  const length = restore.earlier.length + getStoredLength(restore.before);
  return length <= MAX_INLINE_LENGTH ? restoreYjsDocument(restore) : threads.run(owner, "restore", restore);
}

/** Compares states of a document without blocking the event loop for long: large ones in a thread. */
export async function compareWithoutBlocking(
  owner: DocumentOwner,
  compare: YjsDocumentComparison,
): Promise<ContentChange[]> {
  const { before, earlier, later } = compare;
  const length = getStoredLength(before) + earlier.length + (later?.length ?? 0);
  return length <= MAX_INLINE_LENGTH ? compareYjsDocument(compare) : threads.run(owner, "compare", compare);
}

/** Renews the anchors in a document without blocking the event loop for long: those in large ones in a thread. */
export async function renewWithoutBlocking(
  owner: DocumentOwner,
  renew: YjsDocumentCompaction,
): Promise<RenewedAnchor[]> {
  return getStoredLength(renew.before) <= MAX_INLINE_LENGTH
    ? renewYjsAnchors(renew)
    : threads.run(owner, "renew", renew);
}

function getStoredLength(before: YjsDocumentBefore | undefined): number {
  if (!before) return 0;
  const length = before.state.length + getAnchorsLength(before.anchors);
  return before.updates.reduce((sum, update) => sum + update.length, length);
}

function getAnchorsLength(anchors: readonly StoredAnchor[] = []): number {
  return anchors.reduce((length, { fields }) => length + fields.length, 0);
}

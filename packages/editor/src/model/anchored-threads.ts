import type { CommentAnnotation } from "@colloquy/client";
import type { EditorAdapter } from "./adapter.ts";
import type { Anchor } from "./anchor.ts";
import { type AnchoredThread, type AttachedEditor, attachEditor, getMissingState } from "./attached-editor.ts";

/** The threads of a document and what can be done with them, such as the store of `@colloquy/client/stores`. */
export interface ThreadsSource<Options extends AnchorOption = AnchorOption> {
  getState(): { data: readonly CommentAnnotation[]; isLoading?: boolean; hasMore?: boolean };
  /** Calls a function after each change. Returns what ends the calls. */
  subscribe(onChange: () => void): () => void;
  /** Starts a thread. Returns its annotation ID. */
  add(text: string, options: Options): Promise<string>;
  /** Replaces the anchor of a thread. */
  moveAnchor?(annotationId: string, anchor: Anchor): Promise<void>;
  /** Adds the next threads to the data. */
  loadMore?(): Promise<void>;
}

interface AnchorOption {
  anchor?: Anchor | null;
}

export interface AnchoredThreadsState {
  /** The threads in reading order; those without a text come last. */
  threads: readonly AnchoredThread[];
  /** ID of the annotation that is open. */
  activeId: string | undefined;
  /** The text that the user is writing a comment on. */
  draft: Anchor | undefined;
}

export interface AnchoredThreadsOptions<Options extends AnchorOption> {
  threads: ThreadsSource<Options>;
  /** ID of the collaborative document whose threads to show. Without it, those of elements of the page. */
  editorId?: string;
  /** Returns whether to show a thread. By default, all that are not resolved. */
  isShown?: (thread: CommentAnnotation) => boolean;
}

/**
 * The threads on the text of one editor: which text each has, which one is open, and what the user is writing a
 * comment on. It is a store, as those of `@colloquy/client/stores` are.
 */
export class AnchoredThreads<Options extends AnchorOption = AnchorOption> {
  readonly editorId: string | undefined;
  readonly #source: ThreadsSource<Options>;
  readonly #isShown: (thread: CommentAnnotation) => boolean;
  readonly #listeners = new Set<{ listener: (state: AnchoredThreadsState) => void }>();
  /** Anchors that were stored for threads, as JSON. */
  readonly #replacements = new Map<string, string>();
  #editor: AttachedEditor | undefined;
  #unsubscribe: (() => void) | undefined;
  /** IDs of the elements that show threads, by annotation ID. */
  #cards: ReadonlyMap<string, string> = new Map();
  #isUpdating = false;
  #state: AnchoredThreadsState = { threads: [], activeId: undefined, draft: undefined };

  constructor({ threads, editorId, isShown = isOpen }: AnchoredThreadsOptions<Options>) {
    this.#source = threads;
    this.editorId = editorId;
    this.#isShown = isShown;
  }

  readonly getState = (): AnchoredThreadsState => this.#state;

  /** Calls a listener at once and after each change, until the returned function is called. */
  readonly subscribe = (listener: (state: AnchoredThreadsState) => void): (() => void) => {
    const entry = { listener };
    this.#listeners.add(entry);
    this.#updateSubscription();
    listener(this.#state);
    return () => {
      this.#listeners.delete(entry);
      this.#updateSubscription();
    };
  };

  /** Connects an editor, until the returned function is called. Each editor's plugin does this. */
  attach<Range>(adapter: EditorAdapter<Range>): () => void {
    const editor = attachEditor(adapter);
    this.#editor = editor;
    const unsubscribe = adapter.subscribe(() => this.#scheduleUpdate());
    this.#updateSubscription();
    this.#scheduleUpdate();
    return () => {
      unsubscribe();
      if (this.#editor !== editor) return;
      this.#editor = undefined;
      this.#updateSubscription();
      this.#scheduleUpdate();
    };
  }

  /**
   * Refers from the text of threads to the elements that show them, for screen readers. The map has the ID of each
   * element by annotation ID. `placeCards` does this.
   */
  setCards(cards: ReadonlyMap<string, string>): void {
    this.#cards = cards;
    this.#change({});
  }

  /** Opens a thread, and scrolls to its text unless `scroll` is false. Without an ID, closes the one that is open. */
  open(annotationId: string | undefined, { scroll = true }: { scroll?: boolean } = {}): void {
    this.#change({ activeId: annotationId });
    if (annotationId !== undefined && scroll) this.#editor?.reveal(annotationId);
  }

  /** Opens the thread after the one that is open, or the first one. Returns false if there is none. */
  openNext(): boolean {
    return this.#openNeighbor(1);
  }

  /** Opens the thread before the one that is open, or the last one. Returns false if there is none. */
  openPrevious(): boolean {
    return this.#openNeighbor(-1);
  }

  #openNeighbor(step: 1 | -1): boolean {
    const { threads, activeId } = this.#state;
    const ids = threads.filter(hasText).map(({ thread }) => thread.annotationId);
    const active = ids.indexOf(activeId ?? "");
    const start = active === -1 && step === -1 ? ids.length : active;
    const next = ids.at((start + step) % ids.length);
    if (next !== undefined) this.open(next);
    return next !== undefined;
  }

  /** Begins a comment on a place, by default the text that is selected. Returns false if no text is selected. */
  startComment(draft: Anchor | undefined = this.#editor?.createAnchor()): boolean {
    if (draft) this.#change({ draft, activeId: undefined });
    return draft !== undefined;
  }

  /** Returns the anchor of the comment that was begun, or else of the text that is selected, if any. */
  getAnchor(): Anchor | undefined {
    return this.#state.draft ?? this.#editor?.createAnchor();
  }

  cancelComment(): void {
    this.#change({ draft: undefined });
  }

  /**
   * Starts a thread on the text of the comment that was begun, or else on the text that is selected, and opens it.
   * Throws if no text is selected, or if the service rejects it.
   */
  async add(text: string, options?: Omit<Options, "anchor">): Promise<string> {
    const anchor = this.getAnchor();
    if (!anchor) throw new Error("Select text before you add a comment.");
    const annotationId = await this.#source.add(text, castOptions({ ...options, anchor }));
    this.#change({ draft: undefined, activeId: annotationId });
    return annotationId;
  }

  /** Returns where the text of a thread is in the window, or without an ID that of the comment that was begun. */
  getRect(annotationId?: string): ReturnType<EditorAdapter<unknown>["getRect"]> {
    return this.#editor?.getRect(annotationId);
  }

  /** Follows the threads while something shows them. */
  #updateSubscription(): void {
    const isShown = this.#listeners.size > 0 || this.#editor !== undefined;
    if (isShown && !this.#unsubscribe) {
      this.#unsubscribe = this.#source.subscribe(() => this.#scheduleUpdate());
      this.#update();
    } else if (!isShown && this.#unsubscribe) {
      this.#unsubscribe();
      this.#unsubscribe = undefined;
    }
  }

  /** Updates once after all changes of a task, when the editor and its document agree. */
  #scheduleUpdate(): void {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    queueMicrotask(() => {
      this.#isUpdating = false;
      this.#update();
    });
  }

  #update(): void {
    const { data, isLoading, hasMore } = this.#source.getState();
    if (hasMore && !isLoading) this.#source.loadMore?.().catch(ignore);
    const shown = data.filter((thread) => this.#isOfEditor(thread) && this.#isShown(thread));
    const resolved =
      this.#editor?.resolve(shown) ?? shown.map((thread) => ({ thread, state: getMissingState(thread, true) }));
    const { threads, activeId } = this.#state;
    const isSame = resolved.length === threads.length && resolved.every((each, index) => isEqual(each, threads[index]));
    // A thread that was added a moment ago may not be in the list yet.
    const isGone = hasThread(threads, activeId) && !hasThread(resolved, activeId);
    this.#change({ ...(!isSame && { threads: resolved }), ...(isGone && { activeId: undefined }) });
    this.#editor?.forEachReplacement((id, anchor) => this.#storeReplacement(id, anchor));
  }

  /** Stores another anchor of a thread, once. Does nothing if the service rejects it, as for users of other roles. */
  #storeReplacement(annotationId: string, anchor: Anchor): void {
    const text = JSON.stringify(anchor);
    if (this.#replacements.get(annotationId) === text) return;
    this.#replacements.set(annotationId, text);
    this.#source.moveAnchor?.(annotationId, anchor).catch(ignore);
  }

  #isOfEditor({ anchor }: CommentAnnotation): boolean {
    if (!anchor) return false;
    return "editorId" in anchor ? anchor.editorId === this.editorId : this.editorId === undefined;
  }

  /** Changes the state, shows the highlights, and tells the listeners if something has changed. */
  #change(changes: Partial<AnchoredThreadsState>): void {
    const before = this.#state;
    const next = { ...before, ...changes };
    const names = Object.keys(changes) as (keyof AnchoredThreadsState)[];
    if (names.some((name) => next[name] !== before[name])) this.#state = next;
    this.#editor?.highlight({ ...next, cards: this.#cards });
    if (this.#state !== before) for (const { listener } of [...this.#listeners]) listener(next);
  }
}

/** Does nothing about an error, which the state of the source has, or which concerns no user. */
function ignore(): void {}

/** Casts the options of a thread: those of the source are these with an anchor. */
function castOptions<Options extends AnchorOption>(options: AnchorOption): Options {
  return options as Options;
}

function isOpen({ status }: CommentAnnotation): boolean {
  return status.type !== "terminal";
}

function hasThread(threads: readonly AnchoredThread[], id: string | undefined): boolean {
  return threads.some(({ thread }) => thread.annotationId === id);
}

function hasText({ state }: AnchoredThread): boolean {
  return state === "attached" || state === "moved";
}

function isEqual(a: AnchoredThread, b: AnchoredThread | undefined): boolean {
  return a.thread === b?.thread && a.state === b.state;
}

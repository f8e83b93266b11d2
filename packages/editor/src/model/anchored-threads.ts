import type { CommentAnnotation } from "@colloquy/client";
import type { EditorAdapter, Place } from "./adapter.ts";
import type { Anchor } from "./anchor.ts";

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

/** A thread, and whether its text is in the editor. */
export interface AnchoredThread {
  thread: CommentAnnotation;
  /** `moved` if the text was found at another place, `detached` if the editor does not show it. */
  state: "attached" | "moved" | "detached";
}

export interface AnchoredThreadsState {
  /** The threads in reading order; those that are detached come last. */
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

/** The editor that shows the threads, without the type of its ranges. */
interface Attachment {
  /** Finds the text of threads. Returns them in reading order. */
  place(threads: readonly CommentAnnotation[]): AnchoredThread[];
  /** Calls a function for each thread that needs another anchor. */
  renew(store: (annotationId: string, anchor: Anchor) => void): void;
  highlight(activeId: string | undefined, draft: Anchor | undefined): void;
  createAnchor(): Anchor | undefined;
  getRect(annotationId: string | undefined): ReturnType<EditorAdapter<unknown>["getRect"]>;
  reveal(annotationId: string): void;
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
  readonly #renewed = new Map<string, string>();
  #attachment: Attachment | undefined;
  #unfollow: (() => void) | undefined;
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
    this.#follow();
    listener(this.#state);
    return () => {
      this.#listeners.delete(entry);
      this.#follow();
    };
  };

  /** Connects an editor, until the returned function is called. Each editor's plugin does this. */
  attach<Range>(adapter: EditorAdapter<Range>): () => void {
    const attachment = createAttachment(adapter);
    this.#attachment = attachment;
    const unsubscribe = adapter.subscribe(() => this.#scheduleUpdate());
    this.#follow();
    this.#scheduleUpdate();
    return () => {
      unsubscribe();
      if (this.#attachment !== attachment) return;
      this.#attachment = undefined;
      this.#follow();
      this.#scheduleUpdate();
    };
  }

  /** Opens a thread, and scrolls to its text unless `scroll` is false. Without an ID, closes the one that is open. */
  open(annotationId: string | undefined, { scroll = true }: { scroll?: boolean } = {}): void {
    this.#change({ activeId: annotationId });
    if (annotationId !== undefined && scroll) this.#attachment?.reveal(annotationId);
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
    const ids = threads.filter(({ state }) => state !== "detached").map(({ thread }) => thread.annotationId);
    const active = ids.indexOf(activeId ?? "");
    const start = active === -1 && step === -1 ? ids.length : active;
    const next = ids.at((start + step) % ids.length);
    if (next !== undefined) this.open(next);
    return next !== undefined;
  }

  /** Begins a comment on a place, by default the text that is selected. Returns false if no text is selected. */
  startComment(draft: Anchor | undefined = this.#attachment?.createAnchor()): boolean {
    if (draft) this.#change({ draft, activeId: undefined });
    return draft !== undefined;
  }

  /** Returns the anchor of the comment that was begun, or else of the text that is selected, if any. */
  getAnchor(): Anchor | undefined {
    return this.#state.draft ?? this.#attachment?.createAnchor();
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
    return this.#attachment?.getRect(annotationId);
  }

  /** Follows the threads while something shows them. */
  #follow(): void {
    const isShown = this.#listeners.size > 0 || this.#attachment !== undefined;
    if (isShown && !this.#unfollow) {
      this.#unfollow = this.#source.subscribe(() => this.#scheduleUpdate());
      this.#update();
    } else if (!isShown && this.#unfollow) {
      this.#unfollow();
      this.#unfollow = undefined;
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
    const placed = this.#attachment?.place(shown) ?? shown.map((thread) => ({ thread, state: "detached" as const }));
    const { threads, activeId } = this.#state;
    const isSame = placed.length === threads.length && placed.every((each, index) => isEqual(each, threads[index]));
    // A thread that was added a moment ago may not be in the list yet.
    const isGone = hasThread(threads, activeId) && !hasThread(placed, activeId);
    this.#change({ ...(!isSame && { threads: placed }), ...(isGone && { activeId: undefined }) });
    this.#attachment?.renew((id, anchor) => this.#renew(id, anchor));
  }

  /** Stores another anchor of a thread, once. Does nothing if the service rejects it, as for users of other roles. */
  #renew(annotationId: string, anchor: Anchor): void {
    const text = JSON.stringify(anchor);
    if (this.#renewed.get(annotationId) === text) return;
    this.#renewed.set(annotationId, text);
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
    this.#attachment?.highlight(next.activeId, next.draft);
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

function isEqual(a: AnchoredThread, b: AnchoredThread | undefined): boolean {
  return a.thread === b?.thread && a.state === b.state;
}

function createAttachment<Range>(adapter: EditorAdapter<Range>): Attachment {
  let places = new Map<string, Place<Range>>();
  let draftRange: Range | undefined;
  const getRange = (id: string | undefined) => (id === undefined ? draftRange : places.get(id)?.range);
  return {
    place(threads) {
      places = new Map();
      for (const { annotationId, anchor } of threads) {
        const place = anchor && adapter.resolve(anchor);
        if (place) places.set(annotationId, place);
      }
      const placed = threads.map((thread) => ({ thread, place: places.get(thread.annotationId) }));
      placed.sort((a, b) => {
        if (a.place && b.place) return adapter.compare(a.place.range, b.place.range);
        return Number(!a.place) - Number(!b.place);
      });
      return placed.map(({ thread, place }) => ({ thread, state: place?.state ?? "detached" }));
    },
    highlight(activeId, draft) {
      draftRange = draft && adapter.resolve(draft)?.range;
      const highlights = [...places].map(([annotationId, { range }]) => {
        return { annotationId, range, isActive: annotationId === activeId };
      });
      const drafts = draftRange === undefined ? [] : [{ annotationId: undefined, range: draftRange, isActive: true }];
      adapter.highlight([...highlights, ...drafts]);
    },
    createAnchor: () => adapter.createAnchor(),
    renew(store) {
      for (const [annotationId, { renewed }] of places) if (renewed) store(annotationId, renewed);
    },
    getRect(annotationId) {
      const range = getRange(annotationId);
      return range === undefined ? undefined : adapter.getRect(range);
    },
    reveal(annotationId) {
      const range = getRange(annotationId);
      if (range !== undefined) adapter.reveal(range);
    },
  };
}

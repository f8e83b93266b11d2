import type { CommentAnnotation } from "@colloquy/client";
import type { EditorAdapter, Place } from "./adapter.ts";
import type { Anchor } from "./anchor.ts";

/** A thread, and whether its text is in the editor. */
export interface AnchoredThread {
  thread: CommentAnnotation;
  /**
   * `moved` if the text was found at another place, `detached` if it is gone, and `pending` until the editor has loaded
   * it.
   */
  state: "attached" | "moved" | "detached" | "pending";
}

/** What an editor highlights beside the threads that it has placed. */
interface ShownThreads {
  activeId: string | undefined;
  draft: Anchor | undefined;
  /** IDs of the elements that show threads, by annotation ID. */
  cards: ReadonlyMap<string, string>;
}

/** The editor that shows the threads, without the type of its ranges. */
export interface Attachment {
  /** Finds the text of threads. Returns them in reading order. */
  place(threads: readonly CommentAnnotation[]): AnchoredThread[];
  /** Calls a function for each thread that needs another anchor. */
  renew(store: (annotationId: string, anchor: Anchor) => void): void;
  highlight(shown: ShownThreads): void;
  createAnchor(): Anchor | undefined;
  getRect(annotationId: string | undefined): ReturnType<EditorAdapter<unknown>["getRect"]>;
  reveal(annotationId: string): void;
}

/** Returns an editor without the type of its ranges. */
export function createAttachment<Range>(adapter: EditorAdapter<Range>): Attachment {
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
      return placed.map(({ thread, place }) => {
        const isPending = thread.anchor ? (adapter.isPending?.(thread.anchor) ?? false) : false;
        return { thread, state: place?.state ?? getMissingState(thread, isPending) };
      });
    },
    highlight({ activeId, draft, cards }) {
      draftRange = draft && adapter.resolve(draft)?.range;
      const highlights = [...places].map(([annotationId, { range }]) => {
        return { annotationId, range, isActive: annotationId === activeId, cardId: cards.get(annotationId) };
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

/** Returns the state of a thread without a text: what the service says counts until the editor has loaded the text. */
export function getMissingState({ anchorState }: CommentAnnotation, isPending: boolean): "detached" | "pending" {
  return isPending && anchorState !== "detached" ? "pending" : "detached";
}

import type { CommentAnnotation } from "@colloquy/client";
import type { EditorAdapter, ResolvedAnchor } from "./adapter.ts";
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

/** What an editor highlights in addition to the threads whose text it has found. */
interface ShownThreads {
  activeId: string | undefined;
  draft: Anchor | undefined;
  /** IDs of the elements that show threads, by annotation ID. */
  cards: ReadonlyMap<string, string>;
}

/** The adapter of the editor that shows the threads, without the type of its ranges. */
export interface AttachedEditor {
  /** Finds the text of threads. Returns them in reading order. */
  resolve(threads: readonly CommentAnnotation[]): AnchoredThread[];
  /** Calls a function for each thread that needs another anchor. */
  forEachReplacement(store: (annotationId: string, anchor: Anchor) => void): void;
  highlight(shown: ShownThreads): void;
  createAnchor(): Anchor | undefined;
  getRect(annotationId: string | undefined): ReturnType<EditorAdapter<unknown>["getRect"]>;
  reveal(annotationId: string): void;
}

/** Hides the type of the ranges of an adapter. */
export function attachEditor<Range>(adapter: EditorAdapter<Range>): AttachedEditor {
  let resolved = new Map<string, ResolvedAnchor<Range>>();
  let draftRange: Range | undefined;
  const getRange = (id: string | undefined) => (id === undefined ? draftRange : resolved.get(id)?.range);
  return {
    resolve(threads) {
      resolved = new Map();
      for (const { annotationId, anchor } of threads) {
        const found = anchor && adapter.resolve(anchor);
        if (found) resolved.set(annotationId, found);
      }
      const sorted = threads.map((thread) => ({ thread, found: resolved.get(thread.annotationId) }));
      sorted.sort((a, b) => {
        if (a.found && b.found) return adapter.compare(a.found.range, b.found.range);
        return Number(!a.found) - Number(!b.found);
      });
      return sorted.map(({ thread, found }) => {
        const isPending = thread.anchor ? (adapter.isPending?.(thread.anchor) ?? false) : false;
        return { thread, state: found?.state ?? getMissingState(thread, isPending) };
      });
    },
    highlight({ activeId, draft, cards }) {
      draftRange = draft && adapter.resolve(draft)?.range;
      const highlights = [...resolved].map(([annotationId, { range }]) => {
        return { annotationId, range, isActive: annotationId === activeId, cardId: cards.get(annotationId) };
      });
      const drafts = draftRange === undefined ? [] : [{ annotationId: undefined, range: draftRange, isActive: true }];
      adapter.highlight([...highlights, ...drafts]);
    },
    createAnchor: () => adapter.createAnchor(),
    forEachReplacement(store) {
      for (const [annotationId, { replacement }] of resolved) if (replacement) store(annotationId, replacement);
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

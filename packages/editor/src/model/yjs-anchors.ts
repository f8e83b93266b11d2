import * as Y from "yjs";
import {
  buildAnchor,
  decodePosition,
  resolveAnchor,
  SharedText,
  type SharedType,
} from "../../../../src/anchors/anchors.ts";
import type { EditorAdapter, ResolvedAnchor } from "./adapter.ts";
import type { Anchor, TextAnchor } from "./anchor.ts";

/** The ends of a range in a Yjs document. */
export interface Ends<Position> {
  start: Position;
  end: Position;
}

/** What anchors need of an editor for Yjs. */
export interface YjsEditor<Range> {
  /** Returns the type that the editor shows. Undefined while it shows none, or an earlier version of it. */
  getType(): SharedType | undefined;
  /** Returns the range between two positions of the type. Undefined if the editor does not show it, or it is empty. */
  toRange(ends: Ends<Y.AbsolutePosition>): Range | undefined;
  /** Returns the ends of what the user has selected. Undefined if no text is selected. */
  getSelection(): Ends<Y.RelativePosition> | undefined;
  /** Asks the threads to resolve their anchors again, as after a change of the content. */
  refresh(): void;
}

/** What was found for an anchor whose text was deleted. */
interface SearchResult {
  /** Number of changes of the document before. */
  version: number;
  state: ResolvedAnchor<unknown>["state"];
  ends: Ends<Y.RelativePosition> | undefined;
  replacement: Anchor | undefined;
}

/** Time without changes after which deleted texts are searched again, which takes 15 ms in 130,000 characters. */
const PAUSE_MS = 300;

/** Finds and creates anchors in an editor for Yjs, until `stop` is called. */
export class YjsAnchors<Range> implements Pick<EditorAdapter<Range>, "resolve" | "isPending" | "createAnchor"> {
  readonly #editorId: string;
  readonly #editor: YjsEditor<Range>;
  readonly #results = new WeakMap<Anchor, SearchResult>();
  #type: SharedType | undefined;
  /** The present text, once it was read. */
  #text: SharedText | undefined;
  #version = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #hasSearched = false;

  constructor(editorId: string, editor: YjsEditor<Range>) {
    this.#editorId = editorId;
    this.#editor = editor;
  }

  readonly resolve = (anchor: Anchor): ResolvedAnchor<Range> | undefined => {
    const document = this.#follow()?.doc;
    if (!document || !("start" in anchor)) return undefined;
    const [start, end] = [decodePosition(anchor.start), decodePosition(anchor.end)];
    if (!start || !end) return undefined;
    if (isKept(document, start) && isKept(document, end)) {
      const range = this.#toRange({ start, end });
      if (range) return { range, state: "attached" };
    }
    const { ends, state, replacement } = this.#find(anchor, document);
    const range = ends && this.#toRange(ends);
    return range && { range, state, replacement };
  };

  /** Returns whether the document lacks what the anchor refers to, as before it is synchronized. */
  readonly isPending = (anchor: Anchor): boolean => {
    const document = this.#follow()?.doc;
    if (!document || !("start" in anchor)) return true;
    const ends = [decodePosition(anchor.start), decodePosition(anchor.end)];
    return ends.some((end) => end?.item && Y.getState(document.store, end.item.client) <= end.item.clock);
  };

  readonly createAnchor = (): Anchor | undefined => {
    const text = this.#read();
    const selected = this.#editor.getSelection();
    const start = selected && text?.toOffset(selected.start);
    const end = selected && text?.toOffset(selected.end);
    return text && start !== undefined && end !== undefined ? this.#build(text, start, end) : undefined;
  };

  readonly stop = (): void => {
    this.#type?.doc?.off("update", this.#onUpdate);
    this.#type = undefined;
    clearTimeout(this.#pause);
  };

  /** Returns the type that the editor shows, and follows its document. */
  #follow(): SharedType | undefined {
    const type = this.#editor.getType();
    if (type !== this.#type) {
      this.stop();
      this.#text = undefined;
      this.#type = type;
      type?.doc?.on("update", this.#onUpdate);
    }
    return type;
  }

  readonly #onUpdate = (): void => {
    this.#version += 1;
    this.#text = undefined;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#hasSearched) this.#editor.refresh();
    }, PAUSE_MS);
  };

  #read(): SharedText | undefined {
    const type = this.#follow();
    if (type?.doc) this.#text ??= new SharedText(type);
    return this.#text;
  }

  /** Searches the text of an anchor, unless it was searched since the last pause. */
  #find(anchor: TextAnchor, document: Y.Doc): SearchResult {
    const known = this.#results.get(anchor);
    if (known && (known.version === this.#version || this.#pause !== undefined)) return known;
    this.#hasSearched = true;
    const found = this.#search(anchor, document);
    this.#results.set(anchor, found);
    return found;
  }

  #search(anchor: TextAnchor, document: Y.Doc): SearchResult {
    const text = this.#read();
    const resolved = text && resolveAnchor(text, anchor);
    const nothing = { version: this.#version, state: "moved" as const, ends: undefined, replacement: undefined };
    if (!text || resolved?.start === undefined) return nothing;
    const [start, end] = [text.toPosition(resolved.start, "start"), text.toPosition(resolved.end, "end")];
    const isOutdated = isRestored(document, anchor.start) || isRestored(document, anchor.end);
    return {
      version: this.#version,
      state: resolved.state,
      ends: start && end && { start, end },
      replacement: isOutdated ? this.#build(text, resolved.start, resolved.end) : undefined,
    };
  }

  #build(text: SharedText, start: number, end: number): Anchor | undefined {
    const built = buildAnchor(text, start, end);
    return built && { editorId: this.#editorId, ...built };
  }

  #toRange({ start, end }: Ends<Y.RelativePosition>): Range | undefined {
    const document = this.#type?.doc;
    const first = document && Y.createAbsolutePositionFromRelativePosition(start, document);
    const last = document && Y.createAbsolutePositionFromRelativePosition(end, document);
    return first && last ? this.#editor.toRange({ start: first, end: last }) : undefined;
  }
}

function isKept(document: Y.Doc, position: Y.RelativePosition): boolean {
  return !position.item || findItem(document, position)?.deleted === false;
}

/** Returns whether the value that a position stays with was deleted and came back, which only this Y.Doc knows. */
function isRestored(document: Y.Doc, encoded: string): boolean {
  const position = decodePosition(encoded);
  return (position && findItem(document, position)?.redone) instanceof Y.ID;
}

function findItem(document: Y.Doc, { item: id }: Y.RelativePosition): Y.Item | undefined {
  if (!id || Y.getState(document.store, id.client) <= id.clock) return undefined;
  const struct = Y.getItem(document.store, id);
  return struct instanceof Y.Item ? struct : undefined;
}

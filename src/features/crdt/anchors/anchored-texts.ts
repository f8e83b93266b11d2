import * as Y from "yjs";
import { decodePosition, SharedText, type TextAnchor } from "../../../anchors/anchors.ts";
import type { SharedType } from "../shared-type.ts";

type Parent = Y.Item["parent"];

/** The texts of a document that have anchors. Each is read once. */
export class AnchoredTexts {
  readonly #document: Y.Doc;
  readonly #content: { type: SharedType; contentKey: string };
  readonly #texts = new Map<object, SharedText>();

  constructor(document: Y.Doc, content: { type: SharedType; contentKey: string }) {
    this.#document = document;
    this.#content = content;
  }

  /**
   * Returns the text that an anchor is in: that of the shared name of its positions, or of the content if they are
   * unknown. In a map or an array, returns the text within it; undefined if the positions are in none.
   */
  get({ start }: TextAnchor): SharedText | undefined {
    const { type, contentKey } = this.#content;
    const found = this.#find(start);
    if (type === "map" || type === "array") return found?.nested && this.#read(found.nested);
    const name = found?.name ?? contentKey;
    return this.#read(type === "text" ? this.#document.getText(name) : this.#document.getXmlFragment(name));
  }

  /** Returns the shared name that a position is in, and the outermost text within it. */
  #find(encoded: string): { name: string | undefined; nested: Y.Text | Y.XmlFragment | undefined } | undefined {
    const { store, share } = this.#document;
    const { item: itemId, type: typeId, tname } = decodePosition(encoded) ?? {};
    const id = itemId ?? typeId;
    if (!id || Y.getState(store, id.client) <= id.clock) {
      return tname !== undefined && tname !== null && share.has(tname) ? { name: tname, nested: undefined } : undefined;
    }
    const item = Y.getItem(store, id);
    if (!(item instanceof Y.Item)) return undefined;
    let nested: Y.Text | Y.XmlFragment | undefined;
    let parent: Parent = !itemId && item.content instanceof Y.ContentType ? item.content.type : item.parent;
    while (parent instanceof Y.AbstractType && parent._item) {
      if (parent instanceof Y.Text || parent instanceof Y.XmlFragment) nested = parent;
      parent = parent._item.parent;
    }
    const name = share.entries().find(([, shared]) => shared === parent)?.[0];
    return { name, nested };
  }

  #read(type: Y.Text | Y.XmlFragment): SharedText {
    const read = this.#texts.get(type) ?? new SharedText(type);
    this.#texts.set(type, read);
    return read;
  }
}

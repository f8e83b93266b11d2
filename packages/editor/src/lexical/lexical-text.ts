import { $getNearestNodeFromDOMNode, $getRoot, $isTextNode, type ElementNode, type LexicalEditor } from "lexical";
import * as Y from "yjs";
import type { Ends } from "../model/yjs-anchors.ts";
import { findPart, getNodeParts, getTypeParts, getUnit, isElement, type Side, toUnit } from "./units.ts";

/**
 * Converts positions between the Yjs type of an editor and its DOM, by the order of their content: the binding tells
 * nobody which node belongs to which type. It is a snapshot of both, for as long as neither changes.
 */
export class LexicalText {
  readonly #editor: LexicalEditor;
  readonly #root: Y.XmlText;
  readonly #state: ReturnType<LexicalEditor["getEditorState"]>;
  readonly #getTypeParts = memoize(getTypeParts);
  readonly #getNodeParts = memoize(getNodeParts);
  readonly #findElement = memoize((type: Y.XmlText) => this.#searchElement(type));

  constructor(editor: LexicalEditor, root: Y.XmlText) {
    this.#editor = editor;
    this.#root = root;
    this.#state = editor.getEditorState();
  }

  /** Returns whether the editor still shows the state of the snapshot. */
  isCurrent(root: Y.XmlText): boolean {
    return this.#root === root && this.#state === this.#editor.getEditorState();
  }

  /** Returns the range between two positions. Undefined if the editor does not show it. */
  toRange({ start, end }: Ends<Y.AbsolutePosition>): Range | undefined {
    return this.#read(() => {
      const [first, last] = [this.#toPoint(start, "start"), this.#toPoint(end, "end")];
      if (!first || !last) return undefined;
      const range = first.node.ownerDocument?.createRange();
      if (!range) return undefined;
      range.setStart(first.node, first.offset);
      range.setEnd(last.node, last.offset);
      return range.collapsed ? undefined : range;
    });
  }

  /** Returns the position of a place in the text of the editor. */
  toPosition(text: Text, offset: number, side: Side): Y.RelativePosition | undefined {
    return this.#read(() => {
      const node = $getNearestNodeFromDOMNode(text);
      const parent = node?.getParent();
      const type = parent && this.#findType(parent);
      const unit = parent && node ? getUnit(node, this.#getNodeParts(parent)) : undefined;
      if (!type || unit === undefined) return undefined;
      // The text within a decorator, such as a mention, is none of the document: all of it is selected.
      const passed = $isTextNode(node) ? offset : Number(side === "end");
      const part = findPart(this.#getTypeParts(type), unit + passed, side);
      if (!part) return undefined;
      const index = part.index + unit + passed - part.unit;
      return Y.createRelativePositionFromTypeIndex(type, index, side === "start" ? 0 : -1);
    });
  }

  #read<Result>(read: () => Result): Result {
    return this.#state.read(read, { editor: this.#editor });
  }

  #toPoint({ type, index }: Y.AbsolutePosition, side: Side): { node: Node; offset: number } | undefined {
    const element = type instanceof Y.XmlText ? this.#findElement(type) : undefined;
    if (!element || !(type instanceof Y.XmlText)) return undefined;
    const unit = toUnit(this.#getTypeParts(type), index);
    const part = findPart(this.#getNodeParts(element), unit, side);
    const shown = part && this.#editor.getElementByKey(part.node.getKey());
    if (!part || !shown) return undefined;
    const text = $isTextNode(part.node) ? getText(shown) : undefined;
    if (text) return { node: text, offset: Math.min(unit - part.unit, text.length) };
    const parent = shown.parentNode;
    if (!parent) return undefined;
    const place = [...parent.childNodes].indexOf(shown);
    return { node: parent, offset: side === "start" ? place : place + 1 };
  }

  /** Returns the element that shows a type: the one at the same place of its parent. */
  #searchElement(type: Y.XmlText): ElementNode | undefined {
    if (type === this.#root) return $getRoot();
    const { parent } = type;
    const element = parent instanceof Y.XmlText ? this.#findElement(parent) : undefined;
    if (!element || !(parent instanceof Y.XmlText)) return undefined;
    const part = this.#getTypeParts(parent).find(({ child }) => child === type);
    const node = part && this.#getNodeParts(element).find(({ unit, units }) => unit === part.unit && units > 0)?.node;
    return isElement(node) ? node : undefined;
  }

  /** Returns the type that an element shows: the one at the same place of its parent. */
  #findType(element: ElementNode): Y.XmlText | undefined {
    const parent = element.getParent();
    if (!parent) return element.is($getRoot()) ? this.#root : undefined;
    const type = this.#findType(parent);
    const unit = getUnit(element, this.#getNodeParts(parent));
    return type && this.#getTypeParts(type).find((part) => part.child && part.unit === unit)?.child;
  }
}

/** Returns the text of the element of a text node, which formats surround by further elements. */
function getText(element: HTMLElement): Text | undefined {
  let node: Node | null = element;
  while (node && !(node instanceof Text)) node = node.firstChild;
  return node ?? undefined;
}

function memoize<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

import type { Node } from "prosemirror-model";
import * as Y from "yjs";

type XmlType = Y.XmlFragment | Y.XmlText;

/** A child of a Yjs type, and where its node begins within the content of its parent's node. */
interface Child {
  type: XmlType;
  offset: number;
  size: number;
}

/**
 * Yields the children of a type beside those of the node that shows it. They have the same order and sizes: a text of
 * Yjs is one or more text nodes.
 */
function* getChildren(parent: Y.XmlFragment, node: Node): Generator<Child> {
  let offset = 0;
  for (const type of parent.toArray()) {
    if (!(type instanceof Y.XmlText || type instanceof Y.XmlElement)) continue;
    const size = type instanceof Y.XmlText ? type.length : (node.childAfter(offset).node?.nodeSize ?? 0);
    yield { type, offset, size };
    offset += size;
  }
}

/** Returns the position in the document of ProseMirror. Undefined if the document does not show the type. */
export function toDocumentPosition(
  root: Y.XmlFragment,
  doc: Node,
  { type, index }: Y.AbsolutePosition,
): number | undefined {
  const path: XmlType[] = [];
  for (let each: unknown = type; each !== root; each = each.parent) {
    if (!(each instanceof Y.XmlFragment || each instanceof Y.XmlText)) return undefined;
    path.unshift(each);
  }
  let position = 0;
  let node: Node | null = doc;
  let parent: XmlType = root;
  for (const step of path) {
    if (!node || !(parent instanceof Y.XmlFragment)) return undefined;
    const child: Child | undefined = [...getChildren(parent, node)].find((each) => each.type === step);
    if (!child) return undefined;
    position += child.offset;
    if (step instanceof Y.XmlText) return position + index;
    node = node.childAfter(child.offset).node;
    position += 1;
    parent = step;
  }
  if (!node || !(parent instanceof Y.XmlFragment)) return undefined;
  const before = [...getChildren(parent, node)].slice(0, index);
  return position + before.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Returns the position in the Yjs type, which stays with the character after it (`start`) or before it (`end`).
 * Undefined if the type does not have the content of the document yet.
 */
export function toRelativePosition(
  root: Y.XmlFragment,
  doc: Node,
  position: number,
  side: "start" | "end",
): Y.RelativePosition | undefined {
  const children = [...getChildren(root, doc)];
  const child: Child | undefined = children.find(({ type, offset, size }) => {
    const isWithin = offset < position && position < offset + size;
    const edge = side === "start" ? offset : offset + size;
    return isWithin || (type instanceof Y.XmlText && position === edge);
  });
  const assoc = side === "start" ? 0 : -1;
  if (!child) {
    const index = children.filter(({ offset }) => offset < position).length;
    return Y.createRelativePositionFromTypeIndex(root, index, assoc);
  }
  const { type, offset } = child;
  if (type instanceof Y.XmlText) return Y.createRelativePositionFromTypeIndex(type, position - offset, assoc);
  const { node } = doc.childAfter(offset);
  return node ? toRelativePosition(type, node, position - offset - 1, side) : undefined;
}

import { $isElementNode, $isTextNode, type ElementNode, type LexicalNode } from "lexical";
import * as Y from "yjs";

/**
 * The content of an element counted in units: each character of its texts is one, and each line break, element and
 * decorator. The binding of Lexical writes the same units into Yjs, with a map before each text that is none.
 */
interface Part {
  /** Units before the part. */
  unit: number;
  units: number;
}

/** A part of a Yjs type. */
interface TypePart extends Part {
  /** Index in the type, and number of values. */
  index: number;
  count: number;
  child: Y.XmlText | undefined;
}

/** A part of an element of Lexical. */
interface NodePart extends Part {
  node: LexicalNode;
}

/** An end of a range. A start between two parts belongs to the second one, and an end to the first one. */
export type Side = "start" | "end";

export function getTypeParts(type: Y.XmlText): TypePart[] {
  let [unit, index] = [0, 0];
  const delta: { insert: unknown }[] = type.toDelta();
  return delta.map(({ insert }) => {
    const count = typeof insert === "string" ? insert.length : 1;
    const isText = insert instanceof Y.Map && insert.get("__type") !== "linebreak";
    const part = {
      index,
      count,
      unit,
      units: isText ? 0 : count,
      child: insert instanceof Y.XmlText ? insert : undefined,
    };
    [unit, index] = [unit + part.units, index + count];
    return part;
  });
}

export function getNodeParts(element: ElementNode): NodePart[] {
  let unit = 0;
  return element.getChildren().map((node) => {
    const part = { node, unit, units: $isTextNode(node) ? node.getTextContentSize() : 1 };
    unit += part.units;
    return part;
  });
}

/** Returns the part that a unit belongs to. */
export function findPart<Found extends Part>(parts: readonly Found[], unit: number, side: Side): Found | undefined {
  return side === "start"
    ? parts.find((part) => part.unit + part.units > unit)
    : parts.findLast((part) => part.units > 0 && part.unit < unit);
}

/** Returns the units before an index of a Yjs type. */
export function toUnit(parts: readonly TypePart[], index: number): number {
  const part = parts.findLast((each) => each.index <= index);
  return part ? part.unit + Math.min(index - part.index, part.units) : 0;
}

/** Returns the units before a node in its parent. */
export function getUnit(node: LexicalNode, parts: readonly NodePart[]): number | undefined {
  return parts.find((part) => part.node.is(node))?.unit;
}

export function isElement(node: LexicalNode | undefined): node is ElementNode {
  return $isElementNode(node);
}

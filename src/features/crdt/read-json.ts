import * as Y from "yjs";
import { plainJson } from "./plain-json.ts";
import { textOf } from "./text-content.ts";
import { xmlOf } from "./xml.ts";
import { nodeOf, nodesOf } from "./xml-content.ts";

/** Converts shared values to JSON. Unlike Y.Map.toJSON(), it keeps the key `__proto__`. */
export function jsonOf(value: unknown): unknown {
  return plainJson(value, (shared) => {
    if (shared instanceof Y.Text) return { json: textOf(shared) };
    if (shared instanceof Y.XmlElement) return { json: xmlOf([nodeOf(shared)]) };
    if (shared instanceof Y.XmlFragment) return { json: xmlOf(nodesOf(shared)) };
    if (shared instanceof Y.Map) return { entries: [...shared.entries()] };
    return shared instanceof Y.Array ? { items: shared.toArray() } : { json: null };
  });
}

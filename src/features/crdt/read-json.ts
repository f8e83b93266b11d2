import * as Y from "yjs";
import { plainJson } from "./plain-json.ts";
import { getText } from "./text-content.ts";
import { toXml } from "./xml.ts";
import { toNode, toNodes } from "./xml-content.ts";

/** Converts shared values to JSON. Unlike Y.Map.toJSON(), it keeps the key `__proto__`. */
export function toJson(value: unknown): unknown {
  return plainJson(value, (shared) => {
    if (shared instanceof Y.Text) return { json: getText(shared) };
    if (shared instanceof Y.XmlElement) return { json: toXml([toNode(shared)]) };
    if (shared instanceof Y.XmlFragment) return { json: toXml(toNodes(shared)) };
    if (shared instanceof Y.Map) return { entries: [...shared.entries()] };
    return shared instanceof Y.Array ? { items: shared.toArray() } : { json: null };
  });
}

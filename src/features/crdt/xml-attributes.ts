import { isObject } from "../../json/is-object.ts";
import { plainJson } from "./plain-json.ts";
import { toXmlName, toXmlText } from "./xml-characters.ts";

/** Prefix of the names of attributes that are not strings, whose values in XML are JSON. */
const PREFIX = "json:";
/** Maximum depth of JSON, as in requests. */
const MAX_DEPTH = 64;

/** An attribute as XML has it. */
export type XmlAttribute = [name: string, text: string];

/** Returns an attribute under a name in XML. A string is JSON too if its key would be read as one with the prefix. */
export function toXmlAttribute(key: string, value: unknown, name = key): XmlAttribute {
  if (typeof value === "string" && !key.startsWith(PREFIX)) return [name, toXmlText(value)];
  return [`${PREFIX}${name}`, toXmlText(JSON.stringify(plainJson(value, () => ({ json: null }))))];
}

/** Returns the name and value in the Yjs document of an attribute that was parsed. */
export function fromXmlAttribute([name, text]: XmlAttribute): { key: string; value: unknown } {
  const key = withoutPrefix(name);
  return { key, value: key === name ? text : JSON.parse(text) };
}

export function withoutPrefix(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}

/** Returns whether an attribute that has a text in XML need not be written to have another one. */
export function isSameAttribute(before: XmlAttribute, [name, text]: XmlAttribute): boolean {
  // A caller that knows nothing of types sends the text alone, and means no other value.
  return before[1] === text && (before[0] === name || withoutPrefix(before[0]) === name);
}

/**
 * Returns the attributes of an element as the Yjs document will have them, with the number of values in them. Returns
 * what is wrong if they cannot be stored.
 */
export function parseAttributes(
  given: readonly XmlAttribute[],
): { attributes: XmlAttribute[]; count: number } | string {
  const attributes = new Map<string, XmlAttribute>();
  let count = 0;
  for (const [name, text] of given) {
    const key = withoutPrefix(name);
    const value = key === name ? text : parseJson(text);
    const values = countValues(value, 0);
    if (values === undefined || key !== toXmlName(key)) {
      return `has an attribute ${name} that is not JSON which Yjs can store, such as ${PREFIX}level="2"`;
    }
    if (attributes.has(key)) return `has the attribute ${key} twice in one element, with ${PREFIX} and without`;
    attributes.set(key, toXmlAttribute(key, value));
    count += values;
  }
  return { attributes: [...attributes.values()], count };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the values of JSON. Returns undefined for what would not be read back equal. */
function countValues(value: unknown, depth: number): number | undefined {
  if (typeof value === "string") return value.isWellFormed() ? 1 : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? 1 : undefined;
  if (value === undefined || depth > MAX_DEPTH) return undefined;
  let count = 1;
  for (const [key, inner] of Object.entries(isObject(value) || Array.isArray(value) ? value : {})) {
    const values = countValues(inner, depth + 1);
    // Yjs loses the key `__proto__` of plain objects.
    if (values === undefined || key === "__proto__" || !key.isWellFormed()) return undefined;
    count += values;
  }
  return count;
}

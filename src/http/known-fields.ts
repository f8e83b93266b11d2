import type { TSchema } from "typebox";
import { isObject } from "./json.ts";

type Strip = (value: unknown) => void;

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  additionalProperties?: unknown;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/**
 * Compiles a function that deletes, in place, every field that the schema does not name: unknown fields are ignored.
 * Objects with `additionalProperties` keep everything. The value must have passed validation.
 * (TypeBox's own Clean was measured at 44 µs for an activity of 600 bytes, this at under 1 µs.)
 */
export function compileStripUnknownFields(schema: TSchema): Strip {
  return compile(schema) ?? (() => {});
}

/** Undefined where nothing below can hold an unknown field. */
function compile(node: SchemaNode): Strip | undefined {
  if (node.anyOf) return compileUnion(node.anyOf);
  if (node.items) return compileArray(node.items);
  if (node.patternProperties) return compileRecord(Object.values(node.patternProperties)[0] ?? {});
  if (node.properties) return compileObject(node.properties, Boolean(node.additionalProperties));
  return undefined;
}

function compileObject(properties: Record<string, SchemaNode>, isOpen: boolean): Strip {
  const known = new Set(Object.keys(properties));
  const nested = Object.entries(properties).flatMap(([name, node]) => {
    const strip = compile(node);
    return strip ? [{ name, strip }] : [];
  });
  return (value) => {
    if (!isObject(value)) return;
    if (!isOpen) for (const name of Object.keys(value)) if (!known.has(name)) delete value[name];
    for (const { name, strip } of nested) if (Object.hasOwn(value, name)) strip(value[name]);
  };
}

function compileArray(items: SchemaNode): Strip | undefined {
  const strip = compile(items);
  return strip && ((value) => Array.isArray(value) && value.forEach(strip));
}

function compileRecord(values: SchemaNode): Strip | undefined {
  const strip = compile(values);
  return strip && ((value) => isObject(value) && Object.values(value).forEach(strip));
}

/** Branches must differ in JSON type: an array, an object, or something with no fields. */
function compileUnion(branches: SchemaNode[]): Strip | undefined {
  const forArrays = branches.find((branch) => branch.items);
  const forObjects = branches.find((branch) => branch.properties || branch.patternProperties);
  const stripArray = forArrays && compile(forArrays);
  const stripObject = forObjects && compile(forObjects);
  if (!stripArray && !stripObject) return undefined;
  return (value) => (Array.isArray(value) ? stripArray?.(value) : stripObject?.(value));
}

import type { TSchema } from "typebox";
import { isObject } from "./json.ts";

type Keep = (value: unknown) => unknown;

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  additionalProperties?: unknown;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/**
 * Compiles a function that leaves out every field that the schema does not name: unknown fields are ignored. Objects
 * with `additionalProperties` keep everything, and so does what has another JSON type than the schema's, for the
 * validation to find. Works in place, but for objects with unknown fields: deleting a million was measured at 2 s.
 * (TypeBox's own Clean was measured at 44 µs for an activity of 600 bytes, this at under 1 µs.)
 */
export function compileKeepKnownFields(schema: TSchema): Keep {
  return compile(schema) ?? ((value) => value);
}

/** Undefined where nothing below can hold an unknown field. */
function compile(node: SchemaNode): Keep | undefined {
  if (node.anyOf) return compileUnion(node.anyOf);
  if (node.items) return compileArray(node.items);
  if (node.patternProperties) return compileRecord(Object.values(node.patternProperties)[0] ?? {});
  if (node.properties) return compileObject(node.properties, Boolean(node.additionalProperties));
  return undefined;
}

function compileObject(properties: Record<string, SchemaNode>, isOpen: boolean): Keep {
  const names = Object.keys(properties);
  const known = new Set(names);
  const nested = Object.entries(properties).flatMap(([name, node]) => {
    const keep = compile(node);
    return keep ? [{ name, keep }] : [];
  });
  return (value) => {
    if (!isObject(value)) return value;
    const isClean = isOpen || Object.keys(value).every((name) => known.has(name));
    const kept = isClean ? value : pick(value, names);
    for (const { name, keep } of nested) if (Object.hasOwn(kept, name)) kept[name] = keep(kept[name]);
    return kept;
  };
}

function pick(value: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]));
}

function compileArray(items: SchemaNode): Keep | undefined {
  const keep = compile(items);
  return (
    keep &&
    ((value) => {
      if (Array.isArray(value)) for (const [index, item] of value.entries()) value[index] = keep(item);
      return value;
    })
  );
}

function compileRecord(values: SchemaNode): Keep | undefined {
  const keep = compile(values);
  return (
    keep &&
    ((value) => {
      if (isObject(value)) for (const [key, item] of Object.entries(value)) value[key] = keep(item);
      return value;
    })
  );
}

/** Branches must differ in JSON type: an array, an object, or something with no fields. */
function compileUnion(branches: SchemaNode[]): Keep | undefined {
  const forArrays = branches.find((branch) => branch.items);
  const forObjects = branches.find((branch) => branch.properties || branch.patternProperties);
  const keepArray = forArrays && compile(forArrays);
  const keepObject = forObjects && compile(forObjects);
  if (!keepArray && !keepObject) return undefined;
  return (value) => (Array.isArray(value) ? (keepArray?.(value) ?? value) : (keepObject?.(value) ?? value));
}

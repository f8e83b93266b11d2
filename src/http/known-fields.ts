import type { TSchema } from "typebox";
import { isObject } from "../contract/is-object.ts";

type Keep = (value: unknown) => unknown;

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  additionalProperties?: unknown;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/**
 * Compiles a function that removes the fields that the schema does not name. Objects with `additionalProperties` keep
 * all fields, as do values of a wrong JSON type, which the validation then reports. Objects with unknown fields are
 * copied, as deleting a million fields takes 2 s. An activity takes less than 1 µs, and 44 µs by TypeBox's own Clean.
 */
export function compileKeepKnownFields(schema: TSchema): Keep {
  return compile(schema) ?? ((value) => value);
}

/** Returns undefined if no part of the value can have an unknown field. */
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

/** Compiles a union. Its branches must differ in JSON type: an array, an object, or a value without fields. */
function compileUnion(branches: SchemaNode[]): Keep | undefined {
  const forArrays = branches.find((branch) => branch.items);
  const forObjects = branches.find((branch) => branch.properties || branch.patternProperties);
  const keepArray = forArrays && compile(forArrays);
  const keepObject = forObjects && compile(forObjects);
  if (!keepArray && !keepObject) return undefined;
  return (value) => (Array.isArray(value) ? (keepArray?.(value) ?? value) : (keepObject?.(value) ?? value));
}

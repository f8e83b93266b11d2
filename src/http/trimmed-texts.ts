import { isTrimmed } from "../contract/schema.ts";
import { isObject } from "../json/is-object.ts";

type Trim = (value: unknown) => void;

/**
 * Returns the function that removes the white space around all texts of a value that the schema declares as trimmed, in
 * place; undefined if it declares none. Leaves values of a wrong type to the validation.
 */
export function compileTrim(schema: unknown): Trim | undefined {
  if (!isObject(schema)) return undefined;
  const { properties, items, anyOf } = schema;
  const steps = [
    ...(isObject(properties) ? Object.entries(properties).map(([name, field]) => compileField(name, field)) : []),
    ...(Array.isArray(anyOf) ? anyOf.map(compileTrim) : []),
    compileItems(items),
  ].filter((step) => step !== undefined);
  if (steps.length === 0) return undefined;
  return (value) => {
    for (const step of steps) step(value);
  };
}

function compileField(name: string, field: unknown): Trim | undefined {
  if (isTrimmed(field) || (isObject(field) && Array.isArray(field.anyOf) && field.anyOf.some(isTrimmed))) {
    return (object) => {
      if (!isObject(object)) return;
      const text = object[name];
      if (typeof text === "string") object[name] = text.trim();
    };
  }
  const trim = compileTrim(field);
  return trim && ((object) => isObject(object) && trim(object[name]));
}

function compileItems(items: unknown): Trim | undefined {
  const trim = compileTrim(items);
  return trim && ((list) => Array.isArray(list) && list.forEach(trim));
}

import Type, { type TSchema } from "typebox";
import { invalidField } from "../../contract/errors.ts";

const MAX_SWITCHES = 100;

/** Returns the schema of values by name. Type.Record would not do: its pattern ignores names with a line break. */
export function byName(value: TSchema, description: string) {
  return Type.Object(
    {},
    {
      additionalProperties: value,
      propertyNames: Type.String({ minLength: 1, maxLength: 256 }),
      maxProperties: MAX_SWITCHES,
      description: `${description}, at most ${MAX_SWITCHES}.`,
    },
  );
}

export const Switches = Type.Unsafe<Record<string, boolean>>(byName(Type.Boolean(), "Booleans by name"));

/** Replaces the named switches and keeps the others. Throws INVALID_ARGUMENT if they become too many. */
export function mergeSwitches(
  before: Record<string, boolean>,
  changes: Record<string, boolean> | undefined,
  path: string,
): Record<string, boolean> {
  const merged = { ...before, ...changes };
  rejectTooMany(Object.keys(merged).length, path);
  return merged;
}

/** Throws INVALID_ARGUMENT if the switches in the field at `path`, with those that are set already, are too many. */
export function rejectTooMany(switches: number, path: string): void {
  if (switches <= MAX_SWITCHES) return;
  throw invalidField(path, `would have more than ${MAX_SWITCHES} names with those that are set already`);
}

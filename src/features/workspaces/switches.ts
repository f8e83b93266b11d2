import Type from "typebox";
import { invalidField } from "../../contract/errors.ts";

export const MAX_SWITCHES = 100;

/** Booleans by name. Type.Record would not do: its pattern ignores names with a line break. */
export const Switches = Type.Unsafe<Record<string, boolean>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.Boolean(),
      propertyNames: Type.String({ minLength: 1, maxLength: 256 }),
      maxProperties: MAX_SWITCHES,
      description: `Booleans by name, at most ${MAX_SWITCHES}.`,
    },
  ),
);

/** Replaces the named switches and keeps the others. Throws INVALID_ARGUMENT if they become too many. */
export function mergeSwitches(
  before: Record<string, boolean>,
  changes: Record<string, boolean> | undefined,
  path: string,
): Record<string, boolean> {
  const merged = { ...before, ...changes };
  if (Object.keys(merged).length <= MAX_SWITCHES) return merged;
  throw invalidField(path, `would have more than ${MAX_SWITCHES} names with those that are set already`);
}

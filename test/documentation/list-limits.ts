import type { TSchema } from "typebox";
import type { Operation } from "../../src/contract/operation.ts";

/** Members of a JSON schema that matter for the limits of lists. */
interface JsonSchema {
  type?: string;
  minItems?: number;
  maxItems?: number;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema | boolean>;
}

/** A list that a request may have. */
interface List {
  name: string;
  path: string;
  min: number;
  /** Infinity for a list of any length. */
  max: number;
}

/**
 * Returns the table of the limits of lists in requests. A field that has several limits is in several rows: in all but
 * one with its operations. Lists of enumerated values are left out, because each value can occur once.
 */
export function listLimitsTable(operations: readonly Operation[]): string {
  const lists = operations
    .flatMap(({ path, request }) => listsIn(request, "", path))
    .filter(({ max }) => max > 1)
    .sort((one, other) => (one.max === other.max ? other.min - one.min : other.max - one.max));
  const rows = [...Map.groupBy(lists, getRange)].map(([range, inRange]) => {
    const fields = [...Map.groupBy(inRange, ({ name }) => name)].map(([name, same]) => {
      const paths = [...new Set(same.map(({ path }) => `\`${path}\``))];
      return range === usualRange(lists, name) ? `\`${name}\`` : `\`${name}\` of ${paths.join(" and ")}`;
    });
    return `| ${range} | ${fields.sort().join(", ")} |`;
  });
  return ["| items | list |", "| --- | --- |", ...rows].join("\n");
}

function getRange({ min, max }: List): string {
  return max === Number.POSITIVE_INFINITY ? "any number" : `${min} to ${max.toLocaleString("en")}`;
}

/** Returns the range that most lists of this name have. */
function usualRange(lists: readonly List[], name: string): string | undefined {
  const ranges = Map.groupBy(
    lists.filter((list) => list.name === name),
    getRange,
  );
  return [...ranges].sort(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

/** Returns the lists in the values of a schema, which is the field `name` of a request. */
function listsIn(schema: TSchema | JsonSchema | boolean, name: string, path: string): List[] {
  const { type, items, anyOf = [], properties = {}, ...limits } = schema as JsonSchema;
  const { minItems: min = 0, maxItems: max = Number.POSITIVE_INFINITY } = limits;
  const own = type === "array" && !items?.enum ? [{ name, path, min, max }] : [];
  const inside = [...(items ? [items] : []), ...anyOf].flatMap((inner) => listsIn(inner, name, path));
  return [...own, ...inside, ...Object.entries(properties).flatMap(([field, inner]) => listsIn(inner, field, path))];
}

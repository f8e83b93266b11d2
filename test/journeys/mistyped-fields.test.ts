import { describe, expect, test } from "vitest";
import { pathText } from "../../src/contract/path-text.ts";
import { readRows } from "../database-rows.ts";
import { type Endpoint, endpoints, filledWorkspace } from "../examples.ts";
import { startOwnTestService } from "../harness.ts";
import { changeField, type Field, fullRequest, getFields, renameFields } from "../request-variants.ts";
import { size } from "../sizes.ts";

/** Mistyped names of each field. The fields take turns in which ones these are. */
const MISTYPINGS = size({ usual: 1, long: 4 });
const service = await startOwnTestService();
const workspace = await filledWorkspace(service);

/** Returns the name in another case, without its last letter, with one more, and with two swapped. */
function mistypings(name: string, turn: number): string[] {
  const last = name.length - 1;
  const all = [
    name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase(),
    name.slice(0, last),
    `${name}s`,
    `${name.slice(0, last - 1)}${name[last]}${name[last - 1]}`,
  ].filter((mistyped) => mistyped !== name && mistyped !== "");
  const first = turn % all.length;
  return [...all.slice(first), ...all.slice(0, first)].slice(0, MISTYPINGS);
}

/** Returns the request with the field under another name. */
function renameField(request: unknown, { steps }: Field, name: string): unknown {
  const value = steps.reduce((part: unknown, step) => Object(part)[step], request);
  return changeField(changeField(request, steps), [...steps.slice(0, -1), name], value ?? "value");
}

/** Returns whether objects at this place keep all fields, so that a mistyped one is one of them. */
function isInOpenObject(field: Field, all: Field[]): boolean {
  const isOpen = ({ additionalProperties, anyOf = [] }: Field["schema"]): boolean =>
    Boolean(additionalProperties) || anyOf.some(isOpen);
  return all.some(({ schema, steps }) => isOpen(schema) && isParent(steps, field.steps));
}

function isParent(steps: Field["steps"], child: Field["steps"]): boolean {
  return steps.length === child.length - 1 && steps.every((step, index) => step === child[index]);
}

async function checkMistypings({ path, operation, example }: Endpoint): Promise<number> {
  const full = fullRequest(operation.request, example);
  const all = getFields(operation.request);
  const siblings = new Set(all.map(({ name }) => name));
  let count = 0;
  for (const [turn, field] of all.filter(({ steps }) => typeof steps.at(-1) === "string").entries()) {
    if (isInOpenObject(field, all)) continue;
    const request = renameFields(full, field.steps);
    for (const mistyped of mistypings(String(field.steps.at(-1)), turn)) {
      const name = pathText(["data", ...field.steps.slice(0, -1), mistyped]);
      if (siblings.has(name)) continue;
      const error = await workspace.error(path, renameField(request, field, mistyped));
      expect(error, name).toMatchObject({ httpStatus: 400, details: { reason: "unknown_field" } });
      expect(error.message, name).toContain(`${name} is not a field of this operation. Did you mean `);
      count++;
    }
  }
  return count;
}

describe("a mistyped field", () => {
  test("of any operation is rejected with a suggestion and changes nothing", async () => {
    const before = await readRows(service.database);
    const counts = await Promise.all(endpoints.map(checkMistypings));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(300 * MISTYPINGS);
    expect(await readRows(service.database)).toEqual(before);
  });
});

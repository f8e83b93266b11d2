import { pathText } from "../../contract/errors.ts";
import { nextTurn } from "../../contract/next-turn.ts";
import { dataFault } from "./document-fault.ts";

const LONE_SURROGATE = "must not hold a lone surrogate: Yjs keeps texts as UTF-8";
/** Number of values that are checked in one turn of the event loop: 98,000 different keys would hold it for 45 ms. */
const TURN_VALUES = 1_000;

/** Throws DocumentFault for the first value that would not come back equal. Does not check what only XML forbids. */
export async function checkData(data: unknown): Promise<void> {
  const path: (string | number)[] = [];
  let values = 0;

  async function check(value: unknown): Promise<void> {
    if (++values % TURN_VALUES === 0) await nextTurn();
    if (typeof value === "string") return requireWellFormed(value);
    if (typeof value !== "object" || value === null) return;
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      path.push(isList ? Number(key) : key);
      requireWellFormed(key);
      await check(Reflect.get(value, key));
      path.pop();
    }
  }

  function requireWellFormed(text: string): void {
    if (!text.isWellFormed()) throw dataFault(pathText(["data", "data", ...path]), LONE_SURROGATE);
  }

  await check(data);
}

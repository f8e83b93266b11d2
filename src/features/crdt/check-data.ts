import { dataFault, ValueCount } from "./document-fault.ts";

const LONE_SURROGATE = "must not hold a lone surrogate: Yjs keeps texts as UTF-8";
const NOT_FINITE = "must be a number that a 64-bit float can hold";

/** Throws DocumentFault for the first value that would not come back equal; what only XML forbids is let pass. */
export function checkData(data: unknown): void {
  const values = new ValueCount();
  const path: (string | number)[] = [];

  function check(value: unknown): void {
    values.add(1);
    if (typeof value === "string" && !value.isWellFormed()) throw dataFault(pathOf(path), LONE_SURROGATE);
    if (typeof value === "number" && !Number.isFinite(value)) throw dataFault(pathOf(path), NOT_FINITE);
    if (Array.isArray(value)) for (const [index, item] of value.entries()) checkAt(index, item);
    else if (typeof value === "object" && value !== null)
      for (const field of Object.entries(value)) checkField(...field);
  }

  function checkField(key: string, item: unknown): void {
    if (!key.isWellFormed()) throw dataFault(pathOf([...path, key]), LONE_SURROGATE);
    checkAt(key, item);
  }

  function checkAt(step: string | number, item: unknown): void {
    path.push(step);
    check(item);
    path.pop();
  }

  check(data);
}

function pathOf(path: (string | number)[]): string {
  return `data.data${path.map((step) => (isPlainName(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join("")}`;
}

function isPlainName(step: string | number): boolean {
  return typeof step === "string" && /^[A-Za-z_$][\w$]*$/.test(step);
}

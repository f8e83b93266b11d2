import { LIMIT_KINDS, SINGLE_REQUEST_LIMITS } from "../../src/config/limit-kinds.ts";
import { ERROR_KINDS } from "../../src/contract/errors.ts";

/** Returns the table of all limits: first those of single requests, then those with a name of their own. */
export function limitsTable(): string {
  const unnamed = SINGLE_REQUEST_LIMITS.map(({ what, max }) => `| | ${what} | ${max} | INVALID_ARGUMENT |`);
  const named = Object.entries(LIMIT_KINDS).map(
    ([name, { what, max, reason }]) => `| \`${name}\` | ${what} | ${max} | ${ERROR_KINDS[reason].status} |`,
  );
  return ["| `details.limit` | what | at most | error |", "| --- | --- | --- | --- |", ...unnamed, ...named].join("\n");
}

import { LIMIT_KINDS, LIMITS_OF_REQUESTS } from "../../src/config/limit-kinds.ts";
import { ERROR_KINDS } from "../../src/contract/errors.ts";

/** Returns the table of all limits: first those of single requests, then those with a name of their own. */
export function limitsTable(): string {
  const ofRequests = LIMITS_OF_REQUESTS.map(({ what, most }) => `| | ${what} | ${most} | INVALID_ARGUMENT |`);
  const named = Object.entries(LIMIT_KINDS).map(
    ([name, { what, most, reason }]) => `| \`${name}\` | ${what} | ${most} | ${ERROR_KINDS[reason].status} |`,
  );
  return ["| `details.limit` | what | at most | error |", "| --- | --- | --- | --- |", ...ofRequests, ...named].join(
    "\n",
  );
}

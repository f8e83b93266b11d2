import { selectSequencesBehind } from "../features/purge/sequence-queries.ts";
import type { CrossTenantScope } from "../features/tenancy/organization-scope.ts";
import type { Check } from "./check.ts";

/** Numbers to skip, since a record that is not the newest of its organization may have a later one. */
const SKIPPED = 1_000_000;

/** Checks the sequences, which logical replication and copies of tables leave behind their rows. */
export async function checkSequences(scope: CrossTenantScope): Promise<Check[]> {
  const behind = await selectSequencesBehind(scope);
  return behind.map(({ name, next, stored }) => ({
    name: "sequences",
    status: "error",
    finding:
      `The sequence ${name} gives ${next} next, and the newest record has ${stored}: the database was copied without ` +
      "its sequences. New records fail, or are listed in another order than they were written.",
    remedy: `Stop the services, and run \`select setval('${name}', ${stored + SKIPPED})\`.`,
  }));
}

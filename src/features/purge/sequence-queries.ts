import { identifier, sql, unprepared } from "../../database/sql.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";

/** Sequences of records with a table that has their numbers, and its column that an index orders in an organization. */
const SEQUENCES = [
  ["activity_sequence", "activities", "created_at"],
  ["comment_sequence", "comment_annotations", "updated_at"],
  ["notification_sequence", "notifications", "sequence"],
  ["recording_sequence", "recordings", "created_at"],
] as const;

export interface SequenceBehind {
  name: string;
  next: number;
  /** The number of the newest record. */
  stored: number;
}

/** Returns the sequences that would give numbers again which the newest records have. */
export async function selectSequencesBehind(scope: CrossTenantScope): Promise<SequenceBehind[]> {
  const behind: SequenceBehind[] = [];
  for (const [name, table, column] of SEQUENCES) {
    const [newest] = await scope.run(
      unprepared(
        sql<{ stored: number | null }>`select max(newest.sequence) as stored from organizations cross join lateral (
          select written.sequence from ${identifier(table)} written
          where written.organization_key = organizations.organization_key
          order by written.${identifier(column)} desc limit 1
        ) as newest`,
      ),
    );
    const stored = newest?.stored ?? 0;
    const [sequence] = await scope.run(
      sql<{ next: number }>`select last_value + is_called::int as next from ${identifier(name)}`,
    );
    if (sequence && sequence.next <= stored) behind.push({ name, next: sequence.next, stored });
  }
  return behind;
}

import type { Queryable } from "./database.ts";

/** Rows that a statement of a deletion deletes at most. */
export const CHUNK_ROWS = 5_000;
/** Of what a deletion has deleted; more would be no answer for a client. */
export const MAX_IDS_ANSWERED = 50_000;

/** A table of records: its primary key is (organization_key, id). */
type RecordTable = "activities" | "recordings";

/** The texts of those that there are, locked in the order of their ids, as every writer locks them. */
export async function lockRecords(
  transaction: Queryable,
  table: RecordTable,
  organizationKey: string,
  ids: string[],
): Promise<Map<string, string>> {
  const { rows } = await transaction.query<{ id: string; record: string }>(
    `select id, record::text as record from ${table}
     where organization_key = $1 and id = any($2) order by id for update`,
    [organizationKey, ids],
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

interface Deletion {
  table: RecordTable;
  /** An expression; its $1 is the organization key. */
  condition: string;
  values: unknown[];
}

/**
 * Deletes all that match, locked in the order of their ids, so that two deletions never wait for each other in a
 * circle. Returns the ids of the first 50,000. The ids go back and forth because a join with what is to be deleted,
 * planned by statistics of yesterday, was measured to read all of an organization for each row.
 */
export async function deleteRecords(transaction: Queryable, deletion: Deletion): Promise<Set<string>> {
  const { table, condition, values } = deletion;
  const last = `$${values.length + 1}`;
  const deleted = new Set<string>();
  let ids = [""];
  do {
    const { rows } = await transaction.unprepared<{ id: string }>(
      `select id from ${table} where ${condition} and id > ${last} order by id limit ${CHUNK_ROWS} for update`,
      [...values, ids.at(-1)],
    );
    ids = rows.map(({ id }) => id);
    await transaction.unprepared(`delete from ${table} where organization_key = $1 and id = any($2)`, [values[0], ids]);
    for (const id of ids) if (deleted.size < MAX_IDS_ANSWERED) deleted.add(id);
  } while (ids.length === CHUNK_ROWS);
  return deleted;
}

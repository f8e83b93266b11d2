import { identifier, join, type Parameter, type Sql, sql } from "../../database/sql.ts";

/** A value, or the column that has it. */
type Value = Parameter | Sql;

/** Columns with the times of writing. Newest values are entries of an index, except those of the few crdt rows. */
const WRITES = [
  ["activities", "created_at"],
  ["comment_annotations", "updated_at"],
  ["crdt_documents", "updated_at"],
  ["crdt_updates", "written_at"],
  ["notifications", "created_at"],
  ["recordings", "created_at"],
].map(([table = "", time = ""]) => ({ table: identifier(table), time: identifier(time) }));

/** Returns the time of the newest write in an organization, or in a document of it, in milliseconds; null if none. */
export function buildLastActivity(organization: Value, documentId?: Value): Sql {
  const newest = WRITES.map(({ table, time }) => {
    const inDocument = documentId === undefined ? sql`` : sql` and ${table}.document_id = ${documentId}`;
    return sql`(select max(${time}) from ${table} where ${table}.organization_key = ${organization}${inDocument})`;
  });
  return sql`greatest(${join(newest, ", ")})`;
}

/** Tables with what a user writes, and the columns with their times. */
const AUTHORED = ["activities", "comments", "recordings"].map((table) => identifier(table));

/** Returns the time of the newest record that a user has written in an organization; null if there is none. */
export function buildLastActivityBy(organization: Value, userId: Sql): Sql {
  const newest = AUTHORED.map(
    (table) => sql`(select max(created_at) from ${table}
      where ${table}.organization_key = ${organization} and ${table}.user_id = ${userId})`,
  );
  return sql`greatest(${join(newest, ", ")})`;
}

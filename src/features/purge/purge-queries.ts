import type { OrganizationKey } from "../../database/keys.ts";
import { bigint, boolean, identifier, identifiers, Sql, sql, unprepared, uuid, xid8 } from "../../database/sql.ts";
import type { Statement } from "../../database/statement.ts";
import { isUntil, milliseconds } from "../../database/time.ts";
import { OWNED_TABLES, type OwnedTable, type WritingTime } from "./owned-tables.ts";

// Statements that read many rows are planned on each call: it may be the first large purge after many small ones.

/** Maximum number of rows that one statement of a purge deletes: it holds its locks for a few dozen milliseconds. */
export const PURGE_CHUNK_ROWS = 2_000;

/** A table whose rows belong to documents. */
export type DocumentTable = OwnedTable & WritingTime;

/** Every table whose rows belong to documents. */
export const DOCUMENT_TABLES: readonly DocumentTable[] = OWNED_TABLES.filter(hasTime);

/** Returns the expression for the time of writing, or an earlier one if the table has a `writtenLaterAt`. */
export function getOrder({ writtenAt, isTimestamp }: WritingTime, row?: Sql): Sql {
  const column = row ? sql`${row}.${identifier(writtenAt)}` : identifier(writtenAt);
  return isTimestamp ? milliseconds(column) : column;
}

/** Returns the expression for the time at which a row was written. */
function getWriteTime(writing: WritingTime, row?: Sql): Sql {
  const { writtenLaterAt } = writing;
  if (writtenLaterAt === undefined) return getOrder(writing, row);
  return sql`coalesce(${getOrder({ writtenAt: writtenLaterAt }, row)}, ${getOrder(writing, row)})`;
}

/** The moment of a deletion, which purges what existed then. */
export interface Moment {
  /** Milliseconds since the epoch, by the clock of the database. What is written later has a later time. */
  time: number;
  /**
   * ID of the transaction of the deletion. What is written later has a later one. Null on Citus, where each node counts
   * its own transactions, and after a restore.
   */
  transactionId: string | null;
}

/** Expressions for a moment, such as the columns of a row that has it. */
export interface StoredMoment {
  time: Sql;
  transactionId: Sql;
}

/** Returns the expression for the ID of the current transaction, for a moment that begins with it. */
export function currentTransactionId(isDistributed: boolean): Sql {
  return isDistributed ? sql`null::xid8` : sql`pg_current_xact_id()`;
}

/**
 * Returns the condition that a row existed at the moment of a deletion. The clock alone does not tell: it may have been
 * ahead when the row was written, or be behind now. So a row of an earlier transaction existed too. One that was
 * changed since is of a later transaction. All rows of a table without a time exist.
 */
export function existedAt(writing: Partial<WritingTime>, moment: Moment | StoredMoment, row?: Sql): Sql {
  if (!hasTime(writing)) return sql`true`;
  const { time, transactionId } = toExpressions(moment);
  const writer = row ? sql`${row}.xmin` : sql`xmin`;
  // PostgreSQL compares IDs by age, because they start over. An ID of another server may be in the future.
  const age = sql`age((${transactionId})::xid)`;
  return sql`(${isUntil(getWriteTime(writing, row), time)} or (${age} >= 0 and age(${writer}) > ${age}))`;
}

function hasTime<Writing extends Partial<WritingTime>>(writing: Writing): writing is Writing & WritingTime {
  return writing.writtenAt !== undefined;
}

function toExpressions({ time, transactionId }: Moment | StoredMoment): StoredMoment {
  return {
    time: typeof time === "number" ? sql`${bigint(time)}` : time,
    transactionId: transactionId instanceof Sql ? transactionId : sql`${xid8(transactionId)}`,
  };
}

/** Returns the condition that the table has such rows, read by an index: `exists` would scan rows just deleted. */
export function hasRows(table: string, condition: Sql, order: Sql): Sql {
  return sql`((select 1 from ${identifier(table)} where ${condition} order by ${order} limit 1) is not null)`;
}

/**
 * Returns a statement that is planned on each call. It has a second form for a database that is distributed by Citus,
 * for `isAmong`.
 */
export function purging<Row>(make: (isDistributed: boolean) => Sql<Row>): Statement<Row[]> {
  return { runOn: (runner) => unprepared(make(runner.isDistributed)).runOn(runner) };
}

/**
 * Returns the condition that the ctid of a row is a `row_id` of a common table expression on the organization. A row
 * that changed since the statement began does not match. Citus sends a statement to one shard by the organization.
 * PostgreSQL alone must not get it: where it expects few rows of an organization, it looks for all of them instead of
 * the ctids. (Measured for 100,000 activities, with statistics from when each organization had one: their purge takes
 * 0.8 s on PostgreSQL 15 and 0.5 s on 18, and with the organization 51 s and 38 s. A join by ctid takes 1.1 to 2 s with
 * any statistics, because it looks for each ctid separately or reads the whole table.)
 */
export function isAmong(rows: Sql, organizationKey: OrganizationKey, isDistributed: boolean): Sql {
  return sql`ctid = any(array(select row_id from ${rows}))
    and (organization_key = ${uuid(organizationKey)} or ${boolean(!isDistributed)})`;
}

/**
 * Deletes the rows of `to_purge`, which has locked them. A row that changed since the statement began stays, as if it
 * were still locked.
 */
export function buildPurgeOfLockedRows(table: string, organizationKey: OrganizationKey, isDistributed: boolean): Sql {
  return sql`delete from ${identifier(table)} where ${isAmong(sql`to_purge`, organizationKey, isDistributed)}`;
}

/** Returns the columns of a key as one text[]. */
export function buildKey(key: readonly string[]): Sql {
  return sql`array[${identifiers(key)}]::text[]`;
}

/** JSON list of the transactions of other connections to a node that are in progress. */
const RUNNING_TRANSACTIONS = `select coalesce(json_agg(virtualtransaction), '[]')::text as transactions
  from pg_locks join pg_stat_activity activity using (pid)
  where locktype = 'virtualxid' and pid <> pg_backend_pid() and datname = current_database()
    and coalesce(backend_type, 'client backend') = 'client backend'`;
const ON_COORDINATOR = `select 'coordinator' as node, transactions, null as failure
  from (${RUNNING_TRANSACTIONS}) as own`;
const ON_ALL_NODES = `${ON_COORDINATOR} union all
  select nodename || ':' || nodeport, case when success then result end, result from run_command_on_workers($1)`;

interface NodeTransactions {
  node: string;
  /** Null if the node cannot be asked. */
  transactions: string | null;
  failure: string | null;
}

/**
 * Returns the transactions of other connections to this database that are in progress, on Citus those of all nodes. A
 * writer among them may have checked access before the deletion and commit after it. Transaction IDs would not do: a
 * transaction that has not written yet has none. Throws while a node is away. There are two forms because PostgreSQL
 * alone does not have the function that asks the nodes.
 */
export const selectRunningTransactions: Statement<ReadonlySet<string>> = {
  async runOn(runner) {
    const query = runner.isDistributed
      ? { text: ON_ALL_NODES, values: [RUNNING_TRANSACTIONS] }
      : { text: ON_COORDINATOR, values: [] };
    const rows = await runner.execute<NodeTransactions>(query);
    const running = rows.flatMap(({ node, transactions, failure }) => {
      if (transactions === null) throw new Error(`the node ${node} does not report its transactions: ${failure}`);
      const ofNode: string[] = JSON.parse(transactions);
      return ofNode.map((transaction) => `${node} ${transaction}`);
    });
    return new Set(running);
  },
};

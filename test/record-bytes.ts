import type { Queryable } from "../src/database/statement.ts";
import type { TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

const FACTOR = 128;
/** Length of a text whose record counts as slightly more than 1 MiB after `multiplyRecordBytes`. */
export const MIB_BEFORE_MULTIPLYING = (1024 * 1024) / FACTOR;

/** Multiplies the stored sizes of a workspace's records by 128, so that 64 KiB fill a page of 8 MiB. */
export function multiplyRecordBytes(database: Queryable, workspace: TestWorkspace, table: string): Promise<unknown> {
  return changeRecordBytes(database, workspace, table, `record_bytes * ${FACTOR}`);
}

/** Sets the stored size of each record of a workspace. */
export function setRecordBytes(
  database: Queryable,
  workspace: TestWorkspace,
  table: string,
  bytes: number,
): Promise<unknown> {
  return changeRecordBytes(database, workspace, table, String(bytes));
}

function changeRecordBytes(database: Queryable, { id }: TestWorkspace, table: string, bytes: string): Promise<unknown> {
  const keys = "select organization_key from organizations where workspace_id = $1";
  return runSql(database, `update ${table} set record_bytes = ${bytes} where organization_key in (${keys})`, [id]);
}

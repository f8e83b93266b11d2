import type { Queryable } from "../src/database/statement.ts";
import type { TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

const FACTOR = 128;
/** Size of a text whose record counts a little over 1 MiB after `multiplyRecordBytes`. */
export const MIB_BEFORE_MULTIPLYING = (1024 * 1024) / FACTOR;

/**
 * Multiplies the stored sizes of a workspace's records by 128. So a test of pages that end
 * after 8 MiB sends 64 KiB.
 */
export function multiplyRecordBytes(database: Queryable, workspace: TestWorkspace, table: string): Promise<unknown> {
  return changeRecordBytes(database, workspace, table, `record_bytes * ${FACTOR}`);
}

/** Sets the stored size of each of a workspace's records. */
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

import type { TestService, TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

/** Inserts copies of the only row of a workspace. They differ in the ID, and in the sequence if the table has one. */
export async function copyRow(
  { database }: Pick<TestService, "database">,
  { id }: Pick<TestWorkspace, "id">,
  { table, idColumn, copies, sequence }: { table: string; idColumn: string; copies: number; sequence?: string },
): Promise<void> {
  const next = sequence ? `, 'sequence', nextval('${sequence}')` : "";
  await runSql(
    database,
    `insert into ${table} select copy.* from ${table} as original cross join generate_series(1, $2::int) as number
      cross join lateral
        jsonb_populate_record(original, jsonb_build_object('${idColumn}', 'copy ' || number${next})) as copy
      where original.organization_key in (select organization_key from organizations where workspace_id = $1)`,
    [id, copies],
  );
}

import type { Queryable } from "../src/database/statement.ts";

/** Runs a SQL statement with positional parameters and returns its rows. */
export function runSql<Row>(database: Queryable, text: string, values: unknown[] = []): Promise<Row[]> {
  return database.run({ runOn: (connection) => connection.execute<Row>({ text, values }) });
}

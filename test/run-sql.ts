import type { Queryable } from "../src/database/statement.ts";

/** Runs a text with positional parameters, as a test writes it to look behind the API. Returns its rows. */
export function runSql<Row>(database: Queryable, text: string, values: unknown[] = []): Promise<Row[]> {
  return database.run({ runOn: (connection) => connection.execute<Row>({ text, values }) });
}

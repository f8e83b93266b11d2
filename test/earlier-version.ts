import { readdir, readFile } from "node:fs/promises";
import type { Database } from "../src/database/database.ts";
import { runSql } from "./run-sql.ts";

const FOLDER = new URL("../src/database/migrations/", import.meta.url);

/** Applies the migrations before the named one, as far as they are missing, as an earlier version has done. */
export async function migrateBefore(database: Database, migration: string): Promise<void> {
  const table = "create table if not exists migrations (name text primary key, applied_at timestamptz default now())";
  await runSql(database, table);
  const applied = (await runSql<{ name: string }>(database, "select name from migrations")).map(({ name }) => name);
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql") && name < migration).sort();
  for (const name of names.filter((one) => !applied.includes(one))) {
    const statements = await readFile(new URL(name, FOLDER), "utf8");
    await runSql(database, `do $upgrade$ begin execute $text$${statements}$text$; end $upgrade$`);
    await runSql(database, "insert into migrations (name) values ($1)", [name]);
  }
}

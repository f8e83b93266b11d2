import type { Manifest } from "../database/backup/manifest.ts";

/** Describes what a backup contains, as in `1,204 rows of 26 tables and 3 mails`. */
export function describeContents({ tables, outbox }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${count(rows, "row")} of ${count(tables.length, "table")} and ${count(outbox.rows, "mail")}`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

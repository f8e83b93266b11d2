import { DECLARED_KINDS } from "../../src/features/user-data/kinds.ts";

/** Returns the table of the columns that may have users, by kind, as the deletion of users' data declares them. */
export function personalDataTable(): string {
  const rows = DECLARED_KINDS.flatMap(({ kind, columns, selectPage }) => {
    const places = Object.entries(columns).map(([table, names]) => `\`${table}\`: ${names.join(", ")}`);
    return places.length > 0 ? [`| ${kind} | ${places.join("; ")} | ${selectPage ? "yes" : ""} |`] : [];
  });
  return ["| kind | table: columns | exported |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Returns the table of the columns that a deletion leaves, with the reasons that the features give. */
export function keptDataTable(): string {
  const rows = DECLARED_KINDS.flatMap(({ kept = {} }) =>
    Object.entries(kept).map(([column, reason]) => `| \`${column}\` | ${reason} |`),
  );
  return ["| column | why it stays |", "| --- | --- |", ...rows].join("\n");
}

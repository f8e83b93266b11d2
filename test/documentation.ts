/**
 * Compares what the documentation says with what is there: the table of variables in README.md and the table of
 * operations in docs/api.md, and every relative link. With `--write` it writes the tables.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VARIABLES } from "../src/config.ts";
import { operations } from "../src/operations.ts";

const isWriting = process.argv.includes("--write");
const faults: string[] = [];

function configurationTable(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, { default: value, description }]) => `| \`${name}\` | ${value && `\`${value}\``} | ${description} |`,
  );
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function operationsTable(): string {
  const rows = operations.map(({ path, aliases = [], summary, cursor }) => {
    const paths = [path, ...aliases].map((one) => `\`${one}\``).join(", ");
    return `| ${paths} | ${summary} | ${cursor ? "yes" : ""} |`;
  });
  return ["| operation | what it does | pages |", "| --- | --- | --- |", ...rows].join("\n");
}

function checkTable(file: string, name: string, table: string): void {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = readFileSync(file, "utf8");
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  const current = `${text.slice(0, from + open.length)}\n${table}\n${text.slice(to)}`;
  if (from === -1 || to < from) faults.push(`${file}: has no place for the table ${name}`);
  else if (isWriting) writeFileSync(file, current);
  else if (text !== current) faults.push(`${file}: the table ${name} is not current; run this with --write`);
}

function checkLinks(file: string): void {
  for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
    const isOutside = /^[a-z]+:/.test(target);
    if (!isOutside && !existsSync(join(dirname(file), target))) faults.push(`${file}: there is no ${target}`);
  }
}

checkTable("README.md", "configuration", configurationTable());
checkTable("docs/api.md", "operations", operationsTable());
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync("docs").map((name) => `docs/${name}`),
];
for (const file of documents.filter((name) => name.endsWith(".md"))) checkLinks(file);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

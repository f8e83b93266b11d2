/**
 * Checks the documentation against the code: the generated tables of variables, commands, operations, limits and the
 * chart's values, the types of the client package, the schema of the database, the example requests, and every name in
 * Markdown files and descriptions of operations.
 * With `--write`, writes the tables, types and schema.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { VARIABLES } from "../src/config/variables.ts";
import { ERROR_CATALOGUE, type ErrorStatus } from "../src/contract/error-catalogue.ts";
import { ERROR_KINDS } from "../src/contract/errors.ts";
import { BACKEND, FIELD_RULES } from "../src/features/comments/annotations/field-rules.ts";
import type { ChangeRule } from "../src/features/permitted-changes/change-rule.ts";
import { operations } from "../src/operations.ts";
import { chartValuesTable } from "./documentation/chart-values.ts";
import { clientTypes } from "./documentation/client-types.ts";
import { missingOperationsTable } from "./documentation/comparable-paths.ts";
import { findExampleErrors } from "./documentation/examples.ts";
import { findGlossaryErrors } from "./documentation/glossary.ts";
import { limitsTable } from "./documentation/limits.ts";
import { listLimitsTable } from "./documentation/list-limits.ts";
import { messagesTable } from "./documentation/messages.ts";
import { findDocumentErrors } from "./documentation/names.ts";
import { keptDataTable, personalDataTable } from "./documentation/personal-data.ts";
import { readProject } from "./documentation/project.ts";
import { createSchema } from "./documentation/schema.ts";

const CHART = "deploy/helm/colloquy";
const isWriting = process.argv.includes("--write");
const errors: string[] = [];

function configurationTable(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, { default: value, description }]) => `| \`${name}\` | ${value && `\`${value}\``} | ${description} |`,
  );
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function commandsTable(): string {
  const rows = project.program.commands.flatMap((command) => commandRows("colloquy", command));
  return ["| command | what it does |", "| --- | --- |", ...rows].join("\n");
}

/** Returns the row of the command, or those of its subcommands. */
function commandRows(parent: string, command: Command): string[] {
  const name = `${parent} ${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((subcommand) => commandRows(name, subcommand));
  return [`| \`${name}\` | ${command.summary()} |`];
}

function operationsTable(): string {
  const rows = operations.map((operation) => {
    const { path, aliases = [], summary, cursor } = operation;
    const scope = operation.authentication === "none" ? "" : operation.scope;
    const paths = [path, ...aliases].map((one) => `\`${one}\``).join(", ");
    const user = operation.endUsers?.role ?? "";
    return `| ${paths} | ${summary} | ${scope} | ${user} | ${cursor ? "yes" : ""} |`;
  });
  return ["| operation | what it does | scope | users | pages |", "| --- | --- | --- | --- | --- |", ...rows].join(
    "\n",
  );
}

const CHANGES = {
  own: "own",
  moderated: "own; as a moderator, of others too",
  byField: "each [field](comments.md#roles-in-a-review) decides",
};

/** Returns the operations that users may call, the role that they need, and the fields that their token fills in. */
function usersTable(): string {
  const rows = operations.flatMap(({ path, endUsers }) => {
    if (!endUsers) return [];
    const { role, on, identity = {}, changes } = endUsers;
    const resource = {
      documents: `${role} of the documents named`,
      optionalDocuments: `${role} of the documents named, if any`,
      organization: "none: returns what the user may read",
      resources: `${role} of the documents in \`resources\``,
    }[on];
    const fields = [...(identity.users ?? []), ...(identity.userIds ?? [])].map((field) => `\`${field}\``);
    return [`| \`${path}\` | ${resource} | ${fields.join(", ")} | ${changes ? CHANGES[changes] : ""} |`];
  });
  const head = "| operation | role | fields that the token fills in | records that users change |";
  return [head, "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** Returns the role with which a user may change each field of an annotation. */
function fieldRolesTable(): string {
  const rows = Object.entries(FIELD_RULES).map(([field, rule]: [string, ChangeRule | typeof BACKEND]) => {
    const { anybody = "backends only", author = anybody, assignee = anybody } = rule === BACKEND ? {} : rule;
    return `| \`${field}\` | ${anybody} | ${author} | ${assignee} |`;
  });
  const head = "| field | any annotation | own annotation | annotation assigned to the user |";
  return [head, "| --- | --- | --- | --- |", ...rows].join("\n");
}

function reasonsTable(): string {
  const rows = Object.entries(ERROR_KINDS).map(
    ([reason, kind]: [string, { status: ErrorStatus; httpStatus?: number; meaning: string }]) => {
      const { status, httpStatus = ERROR_CATALOGUE[status].httpStatus, meaning } = kind;
      return `| \`${reason}\` | ${status} | ${httpStatus} | ${meaning} |`;
    },
  );
  return ["| reason | status | HTTP | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function checkTable(file: string, name: string, table: string): void {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = readFileSync(file, "utf8");
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  const current = `${text.slice(0, from + open.length)}\n${table}\n${text.slice(to)}`;
  if (from === -1 || to < from) errors.push(`${file}: the markers of the table ${name} are missing`);
  else if (isWriting) writeFileSync(file, current);
  else if (text !== current) errors.push(`${file}: the table ${name} is outdated; run \`npm run documentation\``);
}

function checkGenerated(file: string, text: string): void {
  if (isWriting) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) errors.push(`${file} is outdated; run \`npm run documentation\``);
}

const project = await readProject();
checkTable("README.md", "configuration", configurationTable());
checkTable("README.md", "commands", commandsTable());
checkTable(`${CHART}/README.md`, "values", chartValuesTable(readFileSync(`${CHART}/values.yaml`, "utf8")));
checkTable("docs/api.md", "operations", operationsTable());
checkTable("docs/coming-from-elsewhere.md", "missing operations", missingOperationsTable(project.operationPaths));
checkTable("docs/user-tokens.md", "users", usersTable());
checkTable("docs/comments.md", "field roles", fieldRolesTable());
checkTable("docs/comments.md", "messages", messagesTable());
checkTable("docs/conventions.md", "reasons", reasonsTable());
checkTable("docs/privacy.md", "personal data", personalDataTable());
checkTable("docs/privacy.md", "kept data", keptDataTable());
checkTable("docs/conventions.md", "limits", limitsTable());
checkTable("docs/conventions.md", "lists", listLimitsTable(operations));
checkGenerated("src/database/schema.sql", await createSchema());
checkGenerated("packages/client/src/api.generated.ts", clientTypes(operations));
for (const [path, markdown] of project.documents) {
  errors.push(...findDocumentErrors(path, markdown, project), ...(await findExampleErrors(path, markdown, operations)));
}
errors.push(...findGlossaryErrors(project.documents.get("docs/glossary.md") ?? ""));
for (const { path, description = "" } of operations) errors.push(...findDocumentErrors(path, description, project));
for (const error of errors) console.error(error);
process.exitCode = errors.length > 0 ? 1 : 0;

import { UNDISTRIBUTED_TABLES } from "../../src/database/distribution.ts";
import { OWNED_TABLES } from "../../src/features/purge/owned-tables.ts";
import { at, parseQueries, type Query, toNodes } from "./query.ts";

const DISTRIBUTED = new Set(["organizations", ...OWNED_TABLES.map(({ name }) => name)]);
const LOCAL = new Set(UNDISTRIBUTED_TABLES.local);
const REFERENCE = new Set(UNDISTRIBUTED_TABLES.reference);

/** Local tables with foreign keys to reference tables. Citus plans the statements on them, as on distributed tables. */
export const MANAGED_TABLES = [
  ...["allowed_domains", "auth_tokens", "email_configs", "idempotency_keys", "revoked_auth_tokens"],
  ...["user_data_receipts", "user_token_revocations", "webhook_configs", "webhook_endpoints"],
] as const;
const MANAGED = new Set<string>(MANAGED_TABLES);

/** Functions whose result may change within a statement. */
const VOLATILE = new Set(["clock_timestamp", "nextval", "currval", "setval", "random", "gen_random_uuid"]);
/** Functions that PostgreSQL may not evaluate in advance. */
const MUTABLE = new Set([
  ...VOLATILE,
  ...["now", "statement_timestamp", "transaction_timestamp", "extract", "date_part", "to_char"],
  ...["to_json", "to_jsonb", "json_build_object", "json_agg", "json_object_agg", "format", "concat"],
]);

/** What Citus asks of statements. */
export const RULES = {
  organization: "each table must name its organization, or a list of them: by a parameter or by a join on the key",
  lock: "FOR UPDATE needs `organization_key = $1` for every table of its query",
  correlated: "a subquery must not refer to a row of a function, list, subquery or common table expression",
  lateral: "a lateral subquery must not refer to a row of a function, list, subquery or common table expression",
  columns: "a subquery must select a column: `select 1`",
  ctid: "a ctid means a row only if every table of the statement has `organization_key = $1`",
  conflict: "ON CONFLICT must not contain a subquery",
  row: "one row must be inserted by VALUES: Citus reads a SELECT without FROM and WHERE at the coordinator",
  values: "an INSERT … VALUES must not contain a subquery: use INSERT … SELECT",
  volatile: "SET and WHERE of an UPDATE or DELETE must not call volatile functions, except in a subquery",
  immutable: "ON CONFLICT, RETURNING, and CASE or COALESCE in SET or WHERE must call only immutable functions",
  local: "a statement that writes must not use distributed tables together with local ones or change reference tables",
} as const;

export type RuleName = keyof typeof RULES;

/** Returns whether a text may name a table whose statements Citus plans. */
export function mentionsPlanned(text: string): boolean {
  return (text.match(/[a-z_]+/g) ?? []).some(isPlanned);
}

function isPlanned(table: string): boolean {
  return DISTRIBUTED.has(table) || REFERENCE.has(table) || MANAGED.has(table);
}

/** Returns the rules that a statement breaks, so that Citus would reject it or involve more than one shard. */
export async function brokenRules(text: string): Promise<RuleName[]> {
  const queries = await parseQueries(text, (table) => DISTRIBUTED.has(table));
  const isRouted = queries.every((query) => isOfOne(query) && isRoutedInsert(query, queries));
  const broken = new Set<RuleName>();
  for (const query of queries) {
    if (query.isRow && !query.isExpression && DISTRIBUTED.has(getInsertTarget(query))) broken.add("row");
    for (const rule of brokenByQuery(query)) broken.add(rule);
    if (!isRouted) for (const rule of brokenByUnrouted(query, queries)) broken.add(rule);
  }
  if (mixesTables(queries)) broken.add("local");
  return [...broken].sort();
}

/** Returns the table into which an INSERT adds the rows of a query; an empty text if there is none. */
function getInsertTarget({ parent }: Query): string {
  return parent?.kind === "insert" ? (parent.target ?? "") : "";
}

function isOfOne({ tables }: Query): boolean {
  return tables.every(({ naming }) => naming === "one");
}

/** Returns whether an INSERT goes to one shard: its rows are made by a query of a table of one organization. */
function isRoutedInsert(insert: Query, queries: Query[]): boolean {
  if (insert.kind !== "insert" || !DISTRIBUTED.has(insert.target ?? "")) return true;
  return queries.some(({ parent, tables }) => parent === insert && tables.length > 0);
}

function* brokenByQuery({ clauses, target = "" }: Query): Generator<RuleName> {
  if (!isPlanned(target)) return;
  const { values, conflict, set, where, returning } = clauses;
  if (hasSubquery(conflict) && (values !== undefined || !MANAGED.has(target))) yield "conflict";
  if (values !== undefined && [values, returning].some(hasSubquery)) yield "values";
  if ([set, where].some((clause) => calls(clause, VOLATILE))) yield "volatile";
  const chosen = [set, where].flatMap((clause) =>
    ["CaseExpr", "CoalesceExpr"].flatMap((type) => toNodes(clause, type)),
  );
  if ([conflict, returning, ...chosen].some((clause) => calls(clause, MUTABLE) || hasCurrentTime(clause)))
    yield "immutable";
}

function hasSubquery(tree: unknown): boolean {
  return toNodes(tree, "SubLink").length > 0;
}

function calls(tree: unknown, functions: ReadonlySet<string>): boolean {
  const names = toNodes(tree, "FuncCall").map((call) => at(call, "funcname"));
  return names.some((name) => Array.isArray(name) && functions.has(String(at(name.at(-1), "String", "sval"))));
}

/** Returns whether a tree has an expression such as `current_timestamp`. */
function hasCurrentTime(tree: unknown): boolean {
  return toNodes(tree, "SQLValueFunction").length > 0;
}

/** Yields what a query breaks in a statement that Citus cannot send to one shard as a whole. */
function* brokenByUnrouted(query: Query, queries: Query[]): Generator<RuleName> {
  const { kind, tables, columns } = query;
  if (kind !== "select" && columns.some(({ name }) => name === "ctid")) yield "ctid";
  const part = queries.filter((other) => other.part === query.part);
  // Citus sends a common table expression to one shard without help.
  if (part.every(isOfOne) && part.some((other) => other.tables.length > 0)) return;
  if (query.isEmpty && query.isExpression) yield "columns";
  if (tables.some(({ naming }) => naming === "none")) yield "organization";
  if (query.hasLock && tables.length > 0) yield "lock";
  const rule = rejectedReference(query);
  if (rule && isWithin(query, part)) yield rule;
}

/** Returns whether a query or one inside of it reads a distributed table. */
function isWithin(query: Query, queries: Query[]): boolean {
  return queries.some((other) => {
    let outer: Query | undefined = other;
    while (outer && outer !== query) outer = outer.parent;
    return outer === query && other.tables.length > 0;
  });
}

/** Returns the rule that a reference to a row of an outer query breaks. */
function rejectedReference(query: Query): RuleName | undefined {
  for (const { alias } of query.columns) {
    let inner = query;
    if (has(inner, alias)) continue;
    while (inner.parent && !has(inner.parent, alias)) inner = inner.parent;
    const outer = inner.parent;
    if (!outer) continue;
    if (inner.isExpression && (outer.sources.size > 0 || outer.tables.length === 0)) return "correlated";
    if (inner.isLateral && outer.sources.has(alias)) return "lateral";
  }
  return undefined;
}

function has({ sources, tables, target }: Query, alias: string): boolean {
  return sources.has(alias) || target === alias || tables.some((table) => table.alias === alias);
}

/** Returns whether a statement that writes uses distributed tables together with others that Citus keeps apart. */
function mixesTables(queries: Query[]): boolean {
  const used = queries.flatMap(({ tableNames }) => tableNames);
  const targets = queries.flatMap(({ target }) => target ?? []);
  if (targets.length === 0 || !used.some((name) => DISTRIBUTED.has(name))) return false;
  return used.some((name) => LOCAL.has(name)) || targets.some((name) => REFERENCE.has(name));
}

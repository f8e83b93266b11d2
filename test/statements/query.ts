import { loadModule, parseSync } from "libpg-query";

/** A node of PostgreSQL's parse tree, or a list of nodes. */
type Tree = unknown;

/** How a table's rows are limited to organizations: to one, to some, or not at all. */
type Naming = "one" | "some" | "none";

/** A table in a query. */
interface Table {
  name: string;
  alias: string;
  naming: Naming;
}

/** A SELECT, INSERT, UPDATE or DELETE, which may be a part of another one. */
export interface Query {
  kind: "select" | "insert" | "update" | "delete";
  /** The query around it, unless it is a common table expression. */
  parent: Query | undefined;
  /** Number of the common table expression to which it belongs; 0 for the main query. */
  part: number;
  /** Distributed tables that it reads or changes, without the target of an INSERT. */
  tables: Table[];
  /** Aliases of its sources other than tables: functions, lists of values, subqueries, common table expressions. */
  sources: Set<string>;
  /** Target of an INSERT, UPDATE or DELETE. */
  target: string | undefined;
  /** Whether it is a subquery of an expression. */
  isExpression: boolean;
  isLateral: boolean;
  hasLock: boolean;
  /** Whether it selects no columns, as in `exists (select from …)`. */
  isEmpty: boolean;
  /** Whether it selects one row from nothing, so that VALUES can take its place. */
  isRow: boolean;
  /** Names of all tables. */
  tableNames: string[];
  /** Columns in its expressions; the alias is empty if it is not named. */
  columns: { alias: string; name: string }[];
  /** Parse trees of its clauses, if it writes. */
  clauses: { values: Tree; conflict: Tree; set: Tree; where: Tree; returning: Tree };
}

const KINDS = { SelectStmt: "select", InsertStmt: "insert", UpdateStmt: "update", DeleteStmt: "delete" } as const;
const KEY = "organization_key";
const ROW_LACKS = ["fromClause", "whereClause", "valuesLists"];

let isLoaded = false;

/** Returns the queries of a statement, or of several; none for other statements such as CREATE. */
export async function parseQueries(text: string, isDistributed: (table: string) => boolean): Promise<Query[]> {
  if (!isLoaded) await loadModule();
  isLoaded = true;
  const reader = new Reader(isDistributed);
  for (const { stmt } of parseSync(text).stmts ?? []) reader.readQuery(stmt, undefined, { part: 0 });
  return reader.queries;
}

/** Returns a part of a tree by its path, or undefined. */
export function at(tree: Tree, ...path: string[]): Tree {
  let node = tree;
  for (const name of path) node = typeof node === "object" && node !== null ? Reflect.get(node, name) : undefined;
  return node;
}

/** Returns the nodes of a type in a tree, without those in subqueries. */
export function toNodes(tree: Tree, type: string): Tree[] {
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => {
    if (name === type) return [value, ...toNodes(value, type)];
    return name in KINDS ? [] : toNodes(value, type);
  });
}

function list(tree: Tree): Tree[] {
  return Array.isArray(tree) ? tree : [];
}

function getText(tree: Tree): string | undefined {
  return typeof tree === "string" ? tree : undefined;
}

/** Returns the names of a column, such as `["config", "user_id"]`. */
function getNames(column: Tree): string[] {
  return list(at(column, "fields")).map((field) => getText(at(field, "String", "sval")) ?? "*");
}

class Reader {
  readonly queries: Query[] = [];
  readonly #isDistributed: (table: string) => boolean;
  readonly #commonNames = new Set<string>();
  #parts = 0;

  constructor(isDistributed: (table: string) => boolean) {
    this.#isDistributed = isDistributed;
  }

  readQuery(
    tree: Tree,
    parent: Query | undefined,
    { part, isExpression = false, isLateral = false }: Partial<Query> & { part: number },
  ): void {
    for (const [type, kind] of Object.entries(KINDS)) {
      const body = at(tree, type);
      if (body === undefined) continue;
      for (const common of list(at(body, "withClause", "ctes"))) {
        this.#commonNames.add(getText(at(common, "CommonTableExpr", "ctename")) ?? "");
        this.readQuery(at(common, "CommonTableExpr", "ctequery"), undefined, { part: ++this.#parts });
      }
      const branches = [at(body, "larg"), at(body, "rarg")].filter((branch) => branch !== undefined);
      if (branches.length > 0) {
        for (const branch of branches)
          this.readQuery({ SelectStmt: branch }, parent, { part, isExpression, isLateral });
        continue;
      }
      const query: Query = {
        ...{ kind, parent, part, isExpression, isLateral, tables: [], sources: new Set(), tableNames: [], columns: [] },
        target: getText(at(body, "relation", "relname")),
        hasLock: at(body, "lockingClause") !== undefined,
        isEmpty: kind === "select" && at(body, "targetList") === undefined && at(body, "valuesLists") === undefined,
        isRow: kind === "select" && ROW_LACKS.every((clause) => at(body, clause) === undefined),
        clauses: {
          values: at(body, "selectStmt", "SelectStmt", "valuesLists"),
          conflict: at(body, "onConflictClause"),
          set: kind === "update" ? at(body, "targetList") : undefined,
          where: kind === "select" ? undefined : at(body, "whereClause"),
          // The parse tree of PostgreSQL 18 has a node around the list.
          returning: at(body, "returningClause") ?? at(body, "returningList"),
        },
      };
      this.queries.push(query);
      this.#readSources(body, query);
      this.#readExpressions({ ...Object(body), withClause: undefined }, query);
      nameTables(query, getConditions(body));
    }
  }

  #readSources(body: Tree, query: Query): void {
    const target = at(body, "relation");
    if (target !== undefined) this.#addTable(target, query, query.kind !== "insert");
    for (const source of [...list(at(body, "fromClause")), ...list(at(body, "usingClause"))]) {
      this.#readSource(source, query);
    }
  }

  #readSource(source: Tree, query: Query): void {
    for (const side of ["larg", "rarg"]) {
      const joined = at(source, "JoinExpr", side);
      if (joined !== undefined) this.#readSource(joined, query);
    }
    const table = at(source, "RangeVar");
    if (table !== undefined) this.#addTable(table, query, true);
    for (const type of ["RangeSubselect", "RangeFunction"]) {
      const alias = getText(at(source, type, "alias", "aliasname"));
      if (alias !== undefined) query.sources.add(alias);
    }
  }

  #addTable(node: Tree, query: Query, isSource: boolean): void {
    const name = getText(at(node, "relname")) ?? "";
    const alias = getText(at(node, "alias", "aliasname")) ?? name;
    if (this.#commonNames.has(name)) {
      query.sources.add(alias);
      return;
    }
    query.tableNames.push(name);
    if (isSource && this.#isDistributed(name)) query.tables.push({ name, alias, naming: "none" });
  }

  /** Reads columns and the queries inside. */
  #readExpressions(tree: Tree, query: Query, isExpression = false): void {
    if (typeof tree !== "object" || tree === null) return;
    for (const [type, value] of Object.entries(tree)) {
      if (type in KINDS) this.readQuery(tree, query, { part: query.part, isExpression });
      else if (type === "RangeSubselect") {
        const isLateral = at(value, "lateral") === true;
        this.readQuery(at(value, "subquery"), query, { part: query.part, isLateral });
      } else if (type === "ColumnRef") {
        const names = getNames(value);
        query.columns.push({ alias: names.length > 1 ? (names[0] ?? "") : "", name: names.at(-1) ?? "" });
      } else this.#readExpressions(value, query, isExpression || type === "SubLink");
    }
  }
}

/** Returns the conditions that all rows meet. */
function getConditions(body: Tree): Tree[] {
  const sources = [...list(at(body, "fromClause")), ...list(at(body, "usingClause"))];
  const joins = sources.flatMap((source) => toNodes(source, "JoinExpr"));
  const using = joins.filter((join) =>
    list(at(join, "usingClause")).some((column) => at(column, "String", "sval") === KEY),
  );
  return [
    ...[at(body, "whereClause"), ...joins.map((join) => at(join, "quals"))].flatMap(conjuncts),
    ...using.map(() => ({ using: true })),
  ];
}

function conjuncts(condition: Tree): Tree[] {
  if (at(condition, "BoolExpr", "boolop") !== "AND_EXPR") return condition === undefined ? [] : [condition];
  return list(at(condition, "BoolExpr", "args")).flatMap(conjuncts);
}

/** Decides how each table of a query is limited to organizations. */
function nameTables(query: Query, conditions: Tree[]): void {
  const { tables } = query;
  const byAlias = (alias: string | undefined) => tables.filter((table) => alias === undefined || table.alias === alias);
  const links: [Table[], Table[]][] = [];
  for (const condition of conditions) {
    if (at(condition, "using")) {
      for (const table of tables) raise(table, "some");
      links.push([tables, tables]);
    }
    if (at(condition, "SubLink", "subLinkType") === "ANY_SUBLINK") {
      for (const table of keysIn(at(condition, "SubLink", "testexpr"), byAlias)) raise(table, "some");
    }
    const comparison = at(withoutFlag(condition), "A_Expr");
    if (at(comparison, "name", "0", "String", "sval") !== "=") continue;
    const sides = [at(comparison, "lexpr"), at(comparison, "rexpr")];
    for (const [index, side] of sides.entries()) {
      const other = sides[1 - index];
      for (const table of keysIn(side, byAlias)) {
        if (at(comparison, "kind") === "AEXPR_OP_ANY") raise(table, "some");
        else if (isConstant(other)) raise(table, "one");
        else if (getNames(at(other, "ColumnRef")).at(-1) === KEY) {
          raise(table, "some");
          links.push([[table], byAlias(getNames(at(other, "ColumnRef"))[0])]);
        }
      }
    }
    if (columnName(sides[0]) === "workspace_id" || columnName(sides[1]) === "workspace_id") {
      for (const table of tables) if (table.name === "organizations") raise(table, "some");
    }
  }
  for (const _ of links) {
    for (const [left, right] of links) {
      const known = [...left, ...right].map(({ naming }) => naming);
      const best = known.includes("one") ? "one" : known.includes("some") ? "some" : "none";
      for (const table of [...left, ...right]) raise(table, best);
    }
  }
}

function raise(table: Table, naming: Naming): void {
  if (naming === "one" || table.naming === "none") table.naming = naming;
}

/** Returns the tables whose key a node is. A key without an alias is that of each table. */
function keysIn(node: Tree, byAlias: (alias: string | undefined) => Table[]): Table[] {
  const names = getNames(at(node, "ColumnRef"));
  return names.at(-1) === KEY ? byAlias(names.length > 1 ? names[0] : undefined) : [];
}

function columnName(node: Tree): string | undefined {
  return getNames(at(node, "ColumnRef")).at(-1);
}

/** Returns the comparison of `(organization_key = $1 or $2)`, in which $2 is false on Citus. */
function withoutFlag(condition: Tree): Tree {
  if (at(condition, "BoolExpr", "boolop") !== "OR_EXPR") return condition;
  const [comparison, flag] = list(at(condition, "BoolExpr", "args"));
  return isConstant(flag) ? comparison : condition;
}

function isConstant(node: Tree): boolean {
  const inner = at(node, "TypeCast", "arg") ?? node;
  return at(inner, "ParamRef") !== undefined || at(inner, "A_Const") !== undefined;
}

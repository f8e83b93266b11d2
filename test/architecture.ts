import { posix } from "node:path";
import {
  type Declaration,
  filesWhere,
  findTables,
  getDeclarations,
  getImports,
  getLiterals,
  production,
  type Rule,
  readSchema,
  type Sources,
  withoutComments,
} from "./sources.ts";

/** The areas of src/. Each may import itself and those after it. */
const ORDER = [
  ...["main", "commands", "service", "web", "operations", "workspace-operations", "features", "console"],
  ...["http", "contract", "email", "files", "jobs", "database", "telemetry", "outgoing", "config", "json", "anchors"],
];
/** The lists of operations, by their areas. */
const LISTS = ["operations", "workspace-operations"];
const FIRST_FILES = new Set(["main", ...LISTS]);
const MAX_LINES = 300;
/** Maximum length in UTF-16 units, as editors and the formatter count; the formatter does not break literals. */
const MAX_LINE_LENGTH = 120;

const OPERATION = /=\s*(?:operation|publicOperation)\(\{\s*(?:authentication:\s*"none",\s*)?path:\s*"([^"]+)"/;
/** Beginnings of literals that hold a statement. */
const SQL = [
  /^\s*select\s[\s\S]*?(\sfrom\s|\(|\sas\s|\d)/i,
  /^\s*(insert\s+into|update\s+\S+\s+set|delete\s+from|with\s+\w+\s+as|lock\s+table)\s/i,
  /^\s*(create|alter|drop|truncate)\s+(unique\s+)?(table|index|sequence|type|function|view|database|schema)\b/i,
  /^\s*(begin|commit|rollback|(listen|notify)\s+\S+)\s*;?\s*$/i,
];

export const importsPointOneWay: Rule = (sources) =>
  eachImport(sources).flatMap(({ path, target }) => {
    const [from, to] = [ORDER.indexOf(getArea(path)), ORDER.indexOf(getArea(target))];
    if (from < 0 || to < 0) return [`${path} imports ${target}: its area has no place in the order`];
    return from <= to ? [] : [`${path} imports ${target}`];
  });

/** Features that import only earlier features of this list. */
const BASE_FEATURES = ["tenancy", "purge", "access"];
/** The feature that no other feature imports. */
const TOP_FEATURE = "user-data";

export const featuresImportInOrder: Rule = (sources) =>
  eachImport(sources).flatMap(({ path, target }) => {
    const [from, to] = [getFeature(path), getFeature(target)];
    if (from === undefined || to === undefined || from === to) return [];
    const position = BASE_FEATURES.indexOf(from);
    const isUpwards = to === TOP_FEATURE || (position >= 0 && !BASE_FEATURES.slice(0, position).includes(to));
    return isUpwards ? [`${path} imports ${target}`] : [];
  });

/** Type-only imports count, because a reader has to follow them too. */
export const importsHaveNoCycles: Rule = (sources) => {
  const imports = eachImport(sources).filter(({ path, target }) => path !== target);
  const features = imports.flatMap(({ path, target }) => {
    const [from, to] = [getFeature(path), getFeature(target)];
    return from !== undefined && to !== undefined && from !== to ? [{ path: from, target: to }] : [];
  });
  return [...inCycles(imports), ...inCycles(features)].map((name) => `${name} is part of a cycle of imports`);
};

/** Returns the importing files or features that remain after those outside of any cycle were removed repeatedly. */
function inCycles(imports: { path: string; target: string }[]): string[] {
  let left = imports;
  for (;;) {
    const importers = new Set(left.map(({ path }) => path));
    const imported = new Set(left.map(({ target }) => target));
    const next = left.filter(({ path, target }) => importers.has(target) && imported.has(path));
    if (next.length === left.length) return [...new Set(left.map(({ path }) => path))];
    left = next;
  }
}

export const featuresImportNoHttp: Rule = (sources) =>
  eachImport(sources).flatMap(({ path, target }) => {
    const isRestricted = ["features", ...LISTS].includes(getArea(path));
    return isRestricted && getArea(target) === "http" ? [`${path} imports ${target}`] : [];
  });

/** The page runs in browsers: it imports only types from the service, and nothing imports it. */
export const webSharesOnlyTypes: Rule = (sources) =>
  [...production(sources)].flatMap(([path, text]) => {
    const code = withoutComments(text).replaceAll(/(?:^|[;\n])\s*import type\b[^;]*/g, "");
    return getImports(code)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => posix.join(posix.dirname(path), specifier))
      .filter((target) => target.startsWith("src/") && (getArea(path) === "web") !== (getArea(target) === "web"))
      .map((target) => `${path} imports ${target}`);
  });

/** Only database/ computes the name of an import, to load the binaries of this platform. */
export const importsAreStatic: Rule = (sources) =>
  filesWhere(production(sources), (text, path) => {
    return !path.startsWith("src/database/") && /\bimport\((?!\s*["'][^"']*["']\s*[,)])/.test(withoutComments(text));
  });

export const onlyConfigReadsTheEnvironment: Rule = (sources) =>
  filesWhere(production(sources), (text, path) => {
    const reads = /\bprocess\s*\??\.\s*env\b|\benv\b[^;\n]*=\s*process\b|from "(node:)?process"|import\.meta\.env/;
    return !path.startsWith("src/config/") && reads.test(withoutComments(text));
  });

export const onlyQueriesContainSql: Rule = (sources) =>
  filesWhere(production(sources), (text, path) => {
    if (path.startsWith("src/database/") || path.endsWith("-queries.ts")) return false;
    return (
      /import (?!type )[^;]*database\/sql\.ts"/.test(withoutComments(text)) ||
      getLiterals(text).some((literal) => SQL.some((pattern) => pattern.test(literal)))
    );
  });

export const onlyHttpAndConsoleImportFastify: Rule = (sources) =>
  filesWhere(production(sources), (text, path) => !/^src\/(http|console)\//.test(path) && /fastify/i.test(text));

/** Only listed operations are served. */
export const everyOperationIsListed: Rule = (sources) => {
  const listed = new Set(
    eachImport(sources)
      .filter(({ path }) => LISTS.includes(getArea(path)))
      .map(({ target }) => target),
  );
  return filesWhere(production(sources), (text, path) => definesOperation(text) && !listed.has(path));
};

/** Call hierarchies and indexes of symbols follow a function of the file, but no method of the contract. */
export const handlersAreFunctionsOfTheirFile: Rule = (sources) =>
  filesWhere(production(sources), (text) => {
    const isFunction = /^ {2}handle,$/m.test(text) && /^async function handle\(/m.test(text);
    return definesOperation(text) && !isFunction;
  });

/** Example: `access-disablestate-update.ts` holds `/v2/organizations/access/disablestate/update`. */
export const operationFilesAreNamedAfterTheirPath: Rule = (sources) =>
  filesWhere(production(sources), (text, path) => {
    const [, url] = OPERATION.exec(withoutComments(text)) ?? [];
    return url !== undefined && !url.replaceAll("/", "-").endsWith(`-${posix.basename(path, ".ts")}`);
  });

/** Words that begin a fragment instead of a sentence. */
const FRAGMENT =
  /^(Of|As|Where|With|Without|By|From|Beside|Beyond|Behind|Whatever|Else|So|Absent|Whose|Which|Nor|Not|Also)\b/;
/** The first line of a doc comment, or a comment of one line. */
const COMMENT_START = /\/\*\*\s*\n?\s*\*?\s*([^\n]*)|^\s*(?:\/\/|--)\s?(.*)$/gm;

/** Full sentences are understood the first time they are read. */
export const noCommentBeginsAsFragment: Rule = (sources) =>
  [...sources].flatMap(([path, text]) => {
    const errors: string[] = [];
    let previousEnd = -1;
    for (const match of text.matchAll(COMMENT_START)) {
      const first = (match[1] ?? match[2] ?? "").trim();
      const continues =
        match[2] !== undefined && previousEnd >= 0 && text.slice(previousEnd, match.index).trim() === "";
      previousEnd = match.index + match[0].length;
      if (!continues && FRAGMENT.test(first)) errors.push(`${path}: ${first}`);
    }
    return errors;
  });

export const filesAreShort: Rule = (sources) =>
  filesWhere(sources, (text) => text.trimEnd().split("\n").length > MAX_LINES);

export const linesAreShort: Rule = (sources) =>
  [...sources].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => (line.length > MAX_LINE_LENGTH ? [`${path}:${index + 1}`] : [])),
  );

/** Numbers that are given twice or left out come from branches that were merged. */
export const migrationsAreNumbered: Rule = (sources) =>
  [...sources.keys()]
    .filter((path) => path.startsWith("src/database/migrations/"))
    .toSorted()
    .filter((path, index) => Number(posix.basename(path).slice(0, 4)) !== index + 1);

const CONNECTION = /: (?:Queryable|TransactionalQueryable|Database)\b/;
/** The tables of organizations' data. */
const TABLES = findTables(readSchema(), "organization_key").join("|");
/** What names an organization's data: a table in a statement, the name of a table, the key of an organization. */
const ORGANIZATION_DATA = [
  `\\b(?:from|join|into|update|using)\\s+(?:${TABLES})\\b`,
  `["'](?:${TABLES})["']`,
  "\\b[oO]rganizationKey",
];

/** A connection could run a statement on the data of any organization. A scope says of which one, or of several. */
export const organizationDataNeedsAScope: Rule = (sources) =>
  [...production(sources)].flatMap(([path, text]) => {
    if (!/^src\/features\/.*-queries\.ts$/.test(path)) return [];
    const unscoped = findOrganizationData(getDeclarations(text)).filter(({ code }) => CONNECTION.test(code));
    return unscoped.map(({ name }) => `${path}: ${name}`);
  });

/** Returns the declarations that name an organization's data, or another such declaration of the same file. */
function findOrganizationData(declarations: Declaration[]): Declaration[] {
  let found: Declaration[] = [];
  for (;;) {
    const pattern = new RegExp([...ORGANIZATION_DATA, ...found.map(({ name }) => `\\b${name}\\b`)].join("|"));
    const next = declarations.filter(({ code }) => pattern.test(code));
    if (next.length === found.length) return found;
    found = next;
  }
}

/** A key, or a collection of keys, that is declared as a text. */
const TEXT_AS_KEY = /\b\w*(?:organization|document|record|user)_?keys?\??: (?:readonly )?(?:\w+<)?string\b/i;
const ROW_WITH_TEXT_AS_KEY = /\bkey: string\b[^`]*`[^`]*\borganization_key\b[^`]* as key\b/;
/** A uuid that PostgreSQL writes with hyphens, instead of KEY_DIGITS. */
const KEY_WITH_HYPHENS = /\borganization_key as (?:key\b|"organizationKey")/;
/** A cast to a key, or a schema that is one. */
const CAST_TO_KEY = /(?:\bas |\bUnsafe<)(?:readonly )?(?:Organization|Record|User)Key\b/;
const KEY_FILE = "src/features/tenancy/organization-key.ts";

/** Texts could be exchanged: the key of a user for that of an organization, or an ID for a key. */
export const keysAreBranded: Rule = (sources) =>
  filesWhere(production(sources), (text, path) => {
    const code = withoutComments(text);
    const patterns = [TEXT_AS_KEY, ROW_WITH_TEXT_AS_KEY, KEY_WITH_HYPHENS];
    return patterns.some((pattern) => pattern.test(code)) || (path !== KEY_FILE && CAST_TO_KEY.test(code));
  });

const FUNCTION = /^(?:export )?(?:async )?function (\w+)[\s\S]*?^}/gm;
/** A lock at the end of a statement, or an advisory one. Locks of subqueries serve the statement around them. */
const LOCK =
  /\bfor (?:no key update|update|key share|share)(?: of \w+)?(?: skip locked| nowait)?\s*`|_advisory_xact_lock/;
/** The head of a function that takes a transaction, or builds a part of a statement. */
const LOCKING_HEAD = /: (?:Transaction\b|InTransaction<)|\): Sql\b/;

/** Outside of a transaction, a lock ends with its statement and protects nothing. */
export const locksNeedATransaction: Rule = (sources) =>
  [...production(sources)].flatMap(([path, text]) => {
    if (!path.endsWith("-queries.ts")) return [];
    const functions = [...withoutComments(text).matchAll(FUNCTION)].filter(([code]) => {
      const head = code.slice(0, code.search(/\{$/m));
      return LOCK.test(code) && !LOCKING_HEAD.test(head);
    });
    return functions.map(([_code, name]) => `${path}: ${name}`);
  });

/** Every rule with its title. */
export const RULES: readonly (readonly [title: string, rule: Rule])[] = [
  ["imports point one way: main, commands, service, operations, features, then shared code", importsPointOneWay],
  ["base features import no other feature, and no feature imports user-data", featuresImportInOrder],
  ["imports have no cycles between files or features, including type imports", importsHaveNoCycles],
  ["features and the lists of operations do not import from http", featuresImportNoHttp],
  ["the console's page shares only types with the service", webSharesOnlyTypes],
  ["every import names its file literally", importsAreStatic],
  ["only config/ reads the environment", onlyConfigReadsTheEnvironment],
  ["only files named *-queries.ts and database/ contain SQL", onlyQueriesContainSql],
  ["functions on organizations' data take a scope, never a connection", organizationDataNeedsAScope],
  ["keys of organizations, users and documents have their branded types", keysAreBranded],
  ["functions that lock rows until the end of a transaction take one", locksNeedATransaction],
  ["only http/ and console/ import Fastify", onlyHttpAndConsoleImportFastify],
  ["every operation is in one of the lists of operations", everyOperationIsListed],
  ["the handle of every operation is a function of its file", handlersAreFunctionsOfTheirFile],
  ["the file of an operation is named after the end of its path", operationFilesAreNamedAfterTheirPath],
  ["no comment begins as a fragment", noCommentBeginsAsFragment],
  ["files have at most 300 lines", filesAreShort],
  ["lines have at most 120 characters", linesAreShort],
  ["migrations are numbered from 0001 on", migrationsAreNumbered],
];

/** Returns the paths that are not at their sorted position. */
export function unsorted(paths: string[]): string[] {
  const sorted = paths.toSorted();
  return paths.filter((path, index) => path !== sorted[index]);
}

function getFeature(path: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1];
}

function getArea(path: string): string {
  if (path.startsWith("src/console/web/")) return "web";
  const [, first = "", ...rest] = path.split("/");
  if (rest.length > 0) return first;
  const name = posix.parse(first).name;
  return FIRST_FILES.has(name) ? name : "none";
}

/** Returns the imports of production code from src/. */
function eachImport(sources: Sources): { path: string; target: string }[] {
  return [...production(sources)].flatMap(([path, text]) =>
    getImports(withoutComments(text))
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({ path, target: posix.join(posix.dirname(path), specifier) }))
      .filter(({ target }) => target.startsWith("src/")),
  );
}

function definesOperation(text: string): boolean {
  return /=\s*(operation|publicOperation)\(/.test(withoutComments(text));
}

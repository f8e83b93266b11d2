import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Text of each file by its path from the root of the project. */
export type Sources = Map<string, string>;
/** Returns what is wrong, one line for each error. */
export type Rule = (sources: Sources) => string[];

const ROOT = new URL("..", import.meta.url).pathname;

/** Files that are generated, built or installed. */
const MADE = /\.generated\.ts$|\/schema\.sql$|^statements\/[\w-]+\.sql$|\/(dist|node_modules)\//;

const IMPORTS = [
  /(?:^|[;\n])\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']/g,
  /(?:^|[;\n])\s*import\s*["']([^"']+)["']/g,
  /\bimport\(\s*["']([^"']+)["']/g,
];

const COMMENT_OR_LITERAL =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;

/** Reads the sources of the project. */
export async function readSources(): Promise<Sources> {
  const paths = await Promise.all(
    ["src", "test", "bench", "examples", "packages"].map(async (folder) => {
      const names = await readdir(join(ROOT, folder), { recursive: true });
      return names
        .filter((name) => /\.(js|tsx?|sql)$/.test(name) && !MADE.test(name))
        .map((name) => `${folder}/${name}`);
    }),
  );
  const files = paths.flat().map(async (path) => [path, await readFile(join(ROOT, path), "utf8")] as const);
  return new Map(await Promise.all(files));
}

/** Returns the specifiers of a file's static, dynamic and type imports, and of its re-exports. */
export function getImports(text: string): string[] {
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier = ""]) => specifier));
}

/** Returns all sources except tests. */
export function production(sources: Sources): Sources {
  return new Map([...sources].filter(([path]) => path.startsWith("src/") && !path.endsWith(".test.ts")));
}

export function filesWhere(sources: Sources, isWrong: (text: string, path: string) => boolean): string[] {
  return [...sources].filter(([path, text]) => isWrong(text, path)).map(([path]) => path);
}

/** Texts without comments by the text of the file, because most rules ask for them. */
const uncommented = new Map<string, string>();

export function withoutComments(text: string): string {
  const known = uncommented.get(text);
  if (known !== undefined) return known;
  const found = text.replace(COMMENT_OR_LITERAL, (match) => (/^\/[/*]/.test(match) ? "" : match));
  uncommented.set(text, found);
  return found;
}

export function getLiterals(text: string): string[] {
  return [...text.matchAll(COMMENT_OR_LITERAL)]
    .map(([found]) => found)
    .filter((found) => !/^\/[/*]/.test(found))
    .map((found) => found.slice(1, -1));
}

/** A function, constant, class or type at the top level of a file. */
export interface Declaration {
  name: string;
  code: string;
}

/** Returns the declarations at the top level of a file, without comments. */
export function getDeclarations(text: string): Declaration[] {
  const code = withoutComments(text);
  const starts = /^(?:export )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  const found = [...code.matchAll(starts)];
  return found.map(({ index, 1: name = "" }, place) => ({ name, code: code.slice(index, found[place + 1]?.index) }));
}

/** Returns the schema after all migrations. */
export function readSchema(): string {
  return readFileSync(join(ROOT, "src/database/schema.sql"), "utf8");
}

/** Returns the names of the tables of a schema that have a column. */
export function findTables(schema: string, column: string): string[] {
  const tables = schema.matchAll(new RegExp(`^create table (\\w+) \\(\\n(?: .*\\n)*? +${column} `, "gm"));
  return [...tables].map(([, name = ""]) => name);
}

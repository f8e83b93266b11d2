import { posix } from "node:path";
import type { Command } from "commander";
import { getAnchors, getCode, getLinks, withoutLinks } from "./markdown.ts";
import { findCommandLineError, getShellCommands } from "./shell.ts";

/** Everything that documentation may mention. */
export interface Project {
  /** Scripts in package.json. */
  scripts: ReadonlySet<string>;
  program: Command;
  /** Environment variables of the service, the tests and the examples. */
  variables: ReadonlySet<string>;
  /** Error statuses, which are written in capitals like variables. */
  statuses: ReadonlySet<string>;
  /** Paths of the operations, aliases included. */
  operationPaths: ReadonlySet<string>;
  /** Files and folders, relative to the root. */
  paths: ReadonlySet<string>;
  /** Names in the root that Git ignores because each machine generates them. */
  ignored: ReadonlySet<string>;
  /** Texts of the Markdown files by path. */
  documents: ReadonlyMap<string, string>;
}

type Rule = (markdown: string, project: Project, path: string) => string[];

const SCRIPT = /\bnpm\s+(?:run(?:-script)?\s+(?:-\S+\s+)*([\w:.-]*\w)|(start|stop|restart|test)\b)/g;
/** A name in capitals. `BOOTSTRAP_*` and `BOOTSTRAP_…` mean every variable with that prefix. */
const CAPITALS = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)*(?:_[A-Z\d]+\b|_(?=[*…]))/g;
const OPERATION_PATH = /\/v\d+\/[a-z][\w/-]*/g;
const PATH = /^[\w.@-]+(\/[\w.@-]+)*\/?$/;
const SOURCE_FILE = /\.(md|sh|sql|tsx?|ya?ml)$/;

const RULES: Rule[] = [
  findLinkErrors,
  findScriptErrors,
  findCommandErrors,
  findVariableErrors,
  findOperationErrors,
  findPathErrors,
  findConflictErrors,
];

/** Returns one line for each thing that the document mentions and that does not exist, and for a merge conflict. */
export function findDocumentErrors(path: string, markdown: string, project: Project): string[] {
  const errors = RULES.flatMap((rule) => rule(markdown, project, path));
  return [...new Set(errors)].map((error) => `${path}: ${error}`);
}

function findLinkErrors(markdown: string, { paths, documents }: Project, path: string): string[] {
  const inside = getLinks(markdown).filter((link) => !/^[a-z]+:/.test(link));
  return inside.flatMap((link) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : posix.join(posix.dirname(path), file).replace(/\/$/, "");
    if (file !== "" && !paths.has(target)) return [`there is no ${link}`];
    const text = file === "" ? markdown : documents.get(target);
    const isThere = anchor === undefined || text === undefined || getAnchors(text).includes(anchor);
    return isThere ? [] : [`there is no heading ${link}`];
  });
}

function findScriptErrors(markdown: string, { scripts }: Project): string[] {
  const named = [...markdown.matchAll(SCRIPT)].map(([, script, short]) => script ?? short ?? "");
  return named.filter((script) => !scripts.has(script)).map((script) => `package.json has no script ${script}`);
}

function findCommandErrors(markdown: string, { program }: Project): string[] {
  const commands = getCode(markdown).flatMap(getShellCommands);
  return commands.flatMap(({ words }) => findCommandLineError(program, words) ?? []);
}

function findConflictErrors(markdown: string): string[] {
  return /^(<{7}|>{7}) /m.test(markdown) ? ["has the markers of a merge conflict"] : [];
}

/** Ignores placeholders (`YOUR_NAME`) and shell variables, which the text both sets and reads (`$NAME`). */
function findVariableErrors(markdown: string, { variables, statuses }: Project): string[] {
  const text = withoutLinks(markdown);
  const assigned = getCode(markdown).flatMap((code) => getShellCommands(code).flatMap((command) => command.assigned));
  const names = [...[...text.matchAll(CAPITALS)].map(([name]) => name), ...assigned];
  const known = [...variables, ...statuses];
  return names
    .filter((name) => !(name.endsWith("_") ? known.some((one) => one.startsWith(name)) : known.includes(name)))
    .filter((name) => !name.startsWith("YOUR_"))
    .filter((name) => !(text.includes(`${name}=`) && new RegExp(`\\$\\{?${name}\\b`).test(text)))
    .map((name) => `there is no variable or status ${name}`);
}

function findOperationErrors(markdown: string, { operationPaths }: Project): string[] {
  const named = [...withoutLinks(markdown).matchAll(OPERATION_PATH)].map(([path]) => path);
  return named
    .filter((path) => {
      const isThere = path.endsWith("/")
        ? [...operationPaths].some((one) => one.startsWith(path))
        : operationPaths.has(path);
      return !isThere;
    })
    .map((path) => `there is no operation ${path}`);
}

/** Treats a word of code as a path if it starts with a folder of the root or ends with a source file's extension. */
function findPathErrors(markdown: string, { paths, ignored, variables }: Project): string[] {
  const names = new Set([...paths].map((path) => posix.basename(path)));
  const words = getCode(markdown).flatMap((code) => code.split(/[\s"'`(){}[\]<>,;|=]+/));
  return words
    .map((word) => word.replace(/^\.\//, ""))
    .filter((word) => PATH.test(word))
    .filter((word) => {
      const [first = "", ...rest] = word.split("/");
      if (ignored.has(first) || ignored.has(`/${first}`) || variables.has(first)) return false;
      if (rest.length === 0) return SOURCE_FILE.test(word) && !names.has(word);
      return (paths.has(first) || SOURCE_FILE.test(word)) && !paths.has(word.replace(/\/$/, ""));
    })
    .map((word) => `there is no file or folder ${word}`);
}

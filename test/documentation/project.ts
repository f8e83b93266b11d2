import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { createProgram } from "../../src/commands/program.ts";
import { SECRET_VARIABLES, VARIABLES } from "../../src/config/variables.ts";
import { ERROR_CATALOGUE } from "../../src/contract/error-catalogue.ts";
import { REQUEST_STATUSES } from "../../src/contract/recorded-request.ts";
import { DOWNLOAD_PATH, UPLOAD_PATH } from "../../src/features/files/signed-file-links.ts";
import { EVENT_STREAM_PATH } from "../../src/http/event-stream-path.ts";
import { WEB_SOCKET_PATH } from "../../src/http/server.ts";
import { operations } from "../../src/operations.ts";
import type { Project } from "./names.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Variables that only the tests and deploy/ read. */
const OTHER_VARIABLES = [
  "BENCH_DATABASE_URL",
  "CHROMIUM_PATH",
  "POSTGRES_PASSWORD",
  "TEST_CITUS_URL",
  "TEST_DATABASE_URL",
  "TEST_SEED",
];

/** Collects from the code what documentation may mention. */
export async function readProject(): Promise<Project> {
  const ignored = ignoredNames();
  const paths = pathsIn("", ignored);
  const documents = paths.filter((path) => path.endsWith(".md"));
  return {
    scripts: new Set(Object.keys(packageJson.scripts)),
    program: await createProgram(),
    variables: new Set([
      ...Object.keys(VARIABLES),
      ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
      ...OTHER_VARIABLES,
    ]),
    statuses: new Set([...Object.keys(ERROR_CATALOGUE), ...REQUEST_STATUSES]),
    operationPaths: new Set([
      EVENT_STREAM_PATH,
      WEB_SOCKET_PATH,
      DOWNLOAD_PATH,
      UPLOAD_PATH,
      ...operations.flatMap(({ path, aliases = [] }) => [path, ...aliases]),
    ]),
    paths: new Set(paths),
    ignored,
    documents: new Map(documents.map((path) => [path, readFileSync(join(ROOT, path), "utf8")])),
  };
}

/** Lists each folder before its contents. A pattern of .gitignore that begins with a slash matches in the root only. */
function pathsIn(folder: string, ignored: ReadonlySet<string>): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (ignored.has(entry.name) || ignored.has(`/${path}`)) return [];
    return entry.isDirectory() ? [path, ...pathsIn(`${path}/`, ignored)] : [path];
  });
}

/** Returns the plain names in .gitignore, with a leading slash if they match in the root only. */
function ignoredNames(): ReadonlySet<string> {
  const lines = readFileSync(join(ROOT, ".gitignore"), "utf8").split("\n");
  return new Set([".git", ...lines.map((line) => line.replace(/\/$/, "")).filter((line) => /^\/?[\w.-]+$/.test(line))]);
}

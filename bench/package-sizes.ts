/**
 * Prints how much script the packages for browsers bring into a page: `node bench/package-sizes.ts`. React and editors
 * are left out, and everything else is included, with gzip.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";

const PACKAGES = join(import.meta.dirname, "../packages");
const [CLIENT, REACT] = ["client/src/", "react/src/"].map((folder) => join(PACKAGES, folder)) as [string, string];
const HOOKS = ["hooks.ts", "use-users.ts", "provider.tsx"].map(
  (file) => `export * from ${JSON.stringify(REACT + file)};`,
);
const EDITOR = join(PACKAGES, "editor/src/");
const EDITORS = [/^@blocknote/, /^@codemirror/, /^@lexical/, /^lexical/, /^prosemirror/, /^@tiptap/, /^y-/];
const EXTERNAL = [/^react/, /^@hocuspocus/, /^yjs/, ...EDITORS];

/** Script of a page. */
interface Script {
  bytes: number;
  /** Source files that it contains, relative to the folder of the packages. */
  files: string[];
}

/** Returns the script that a page with this code loads at first, and what it loads on demand. */
export async function measureScript(code: string): Promise<Script & { onDemand: Script }> {
  const entry = join(PACKAGES, "measured.ts");
  const result = await build({
    ...{ configFile: false, root: PACKAGES, logLevel: "error", resolve: { conditions: ["@colloquy/source"] } },
    define: { "process.env.NODE_ENV": '"production"' },
    // Tests run as development, whose elements name the places in the source where they were created.
    oxc: { jsx: { development: false } },
    plugins: [
      {
        ...{ name: "measured", enforce: "pre" },
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      ...{ write: false, minify: true, target: "es2022", modulePreload: false },
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", external: EXTERNAL },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as Rolldown.RolldownOutput[];
  const chunks = new Map(
    outputs.flatMap(({ output }) => output).flatMap((each) => (each.type === "chunk" ? [[each.fileName, each]] : [])),
  );
  const first = new Set<string>();
  const visit = (name: string) => {
    const chunk = chunks.get(name);
    if (!chunk || first.has(name)) return;
    first.add(name);
    for (const imported of chunk.imports) visit(imported);
  };
  for (const { isEntry, fileName } of chunks.values()) if (isEntry) visit(fileName);
  const measure = (isFirst: boolean): Script => {
    const measured = [...chunks.values()].filter(({ fileName }) => first.has(fileName) === isFirst);
    const modules = measured.flatMap((chunk) => Object.entries(chunk.modules));
    return {
      bytes: measured.reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0),
      files: modules.flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? [relative(PACKAGES, path)] : [])),
    };
  };
  return { ...measure(true), onDemand: measure(false) };
}

/** Names of the components of the React package, each of which a page can have alone. */
export function getComponents(): string[] {
  const index = readFileSync(join(REACT, "index.ts"), "utf8");
  const names = new Set(index.match(/\b[A-Z]\w+(?=Props\b)/g));
  return [...names].filter((name) => new RegExp(`\\b${name},|\\b${name} \\}`).test(index)).sort();
}

/** Returns the code of a page with one component. */
export function withComponent(name: string): string {
  return `export { ${name} } from ${JSON.stringify(`${REACT}index.ts`)};`;
}

/** Returns the code of a page with each entry of the editor package, by the name of the entry. */
export function getEditorEntries(): Record<string, string> {
  const files = readdirSync(EDITOR).filter((name) => /\.tsx?$/.test(name));
  return Object.fromEntries(
    files.map((name) => [name.replace(/\.tsx?$/, ""), `export * from ${JSON.stringify(EDITOR + name)};`]),
  );
}

/** Pages whose sizes have limits. */
export const MEASURED = {
  client: `export * from ${JSON.stringify(`${CLIENT}index.ts`)};`,
  hooks: HOOKS.join("\n"),
  components: `export * from ${JSON.stringify(`${REACT}index.ts`)};`,
};

if (import.meta.main) {
  const pages = Object.entries({
    ...MEASURED,
    ...Object.fromEntries(getComponents().map((name) => [`<${name}/> alone`, withComponent(name)])),
    ...Object.fromEntries(Object.entries(getEditorEntries()).map(([name, code]) => [`editor: ${name}`, code])),
  });
  for (const [name, code] of pages) {
    const { bytes, onDemand } = await measureScript(code);
    console.log(`| ${name} | ${toKilobytes(bytes)} | ${onDemand.bytes === 0 ? "" : toKilobytes(onDemand.bytes)} |`);
  }
}

function toKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

import { join } from "node:path";
import { build, defaultClientConditions } from "vite";

/** Stylesheet of the components. */
export const STYLESHEET = join(import.meta.dirname, "../../packages/react/styles.css");
/** Path of the module that is bundled, whose imports are resolved from here. */
const ENTRY = join(import.meta.dirname, "entry.jsx");
const scripts = new Map<string, Promise<string>>();

/** Bundles a module with the sources of the packages that it imports, for development, once for a process. */
export function bundleSource(code: string): Promise<string> {
  const script = scripts.get(code) ?? buildScript(code);
  scripts.set(code, script);
  return script;
}

async function buildScript(code: string): Promise<string> {
  const built = await build({
    ...{ configFile: false, logLevel: "error", define: { "process.env.NODE_ENV": '"development"' } },
    plugins: [
      {
        name: "entry",
        resolveId: (path) => (path === ENTRY ? ENTRY : null),
        load: (path) => (path === ENTRY ? code : null),
      },
    ],
    resolve: { conditions: ["@colloquy/source", ...defaultClientConditions] },
    build: {
      ...{ write: false, minify: false, lib: { entry: ENTRY, formats: ["es"], cssFileName: "page" } },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const chunks = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
  return chunks.flatMap((chunk) => ("code" in chunk ? [chunk.code] : [])).join("\n");
}

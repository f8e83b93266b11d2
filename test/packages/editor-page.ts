import { join } from "node:path";
import type { Page } from "playwright-core";
import { build, defaultClientConditions } from "vite";
import { expect, onTestFinished } from "vitest";
import { newPage } from "../console/browser.ts";
import { servePage } from "./packed.ts";

/** Folder of the scripts of pages, whose imports are those of this project. */
const ID = join(import.meta.dirname, "page-script.jsx");
const scripts = new Map<string, Promise<string>>();

/** Bundles the script of a page with the sources of the packages, once for a worker. */
function bundlePage(source: string): Promise<string> {
  const script = scripts.get(source) ?? buildPage(source);
  scripts.set(source, script);
  return script;
}

async function buildPage(source: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"development"' },
    plugins: [
      {
        name: "page",
        resolveId: (path) => (path === ID ? ID : null),
        load: (path) => (path === ID ? source : null),
      },
    ],
    resolve: { conditions: ["@colloquy/source", ...defaultClientConditions] },
    build: { write: false, minify: false, lib: { entry: ID, formats: ["es"], cssFileName: "page" } },
  });
  const [output] = [built].flat();
  const chunks = output && "output" in output ? output.output : [];
  return chunks.flatMap((chunk) => ("code" in chunk ? [chunk.code] : [])).join("\n");
}

/** Opens a page with a script. What goes wrong on it fails the test at its end. */
export async function openScript(source: string, query = ""): Promise<Page> {
  const page = await newPage();
  const problems: string[] = [];
  onTestFinished(async () => {
    await page.context().close();
    expect(problems).toEqual([]);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  await page.goto(servePage(await bundlePage(source)) + query);
  await page.evaluate('import("/script.js")');
  return page;
}

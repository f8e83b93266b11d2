import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { newPage } from "../console/browser.ts";
import { bundle, servePage } from "./packed.ts";

const PACKAGES = join(import.meta.dirname, "../../packages");
const scripts = new Map<string, Promise<string>>();

/**
 * Opens a page with this content, in which everything that source files of the packages export is global. Runs
 * `prepare` before the files are loaded.
 */
export async function openSourcePage(files: string[], html: string, prepare = ""): Promise<Page> {
  const key = files.join();
  const script = scripts.get(key) ?? bundleSource(files);
  scripts.set(key, script);
  const page = await newPage();
  onTestFinished(() => page.context().close());
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(servePage(await script));
  await page.evaluate(`document.body.innerHTML = ${JSON.stringify(html)}; ${prepare}`);
  await page.evaluate('import("/script.js").then((exported) => Object.assign(globalThis, exported))');
  return page;
}

async function bundleSource(files: string[]): Promise<string> {
  const folder = await mkdtemp(join(inject("runDirectory"), "source-"));
  return bundle(folder, files.map((file) => `export * from ${JSON.stringify(join(PACKAGES, file))};`).join("\n"));
}

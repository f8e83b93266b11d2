import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { newPage } from "../console/browser.ts";
import { servePage } from "./packed.ts";
import { bundleSource } from "./source-script.ts";

const PACKAGES = join(import.meta.dirname, "../../packages");

/**
 * Opens a page with a script, before which `prepare` runs. What goes wrong on the page fails the test at its end.
 */
export async function openScript(source: string, prepare = ""): Promise<Page> {
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
  await page.goto(servePage(await bundleSource(source)));
  await page.evaluate(prepare);
  await page.evaluate('import("/script.js")');
  return page;
}

/**
 * Opens a page with this content, in which everything that source files of the packages export is global. Runs
 * `prepare` before the files are loaded.
 */
export function openSourcePage(files: string[], html: string, prepare = ""): Promise<Page> {
  const exports = files.map(
    (file, index) => `import * as file${index} from ${JSON.stringify(join(PACKAGES, file))};
      Object.assign(globalThis, file${index});`,
  );
  return openScript(exports.join("\n"), `document.body.innerHTML = ${JSON.stringify(html)}; ${prepare}`);
}

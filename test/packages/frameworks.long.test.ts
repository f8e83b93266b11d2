import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, type PluginOption } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { workspaceWithDocument } from "../events.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { installPacked, servePage } from "./packed.ts";
import { FAILED } from "./react-page.ts";

const service = await startTestService();
const FILE = /Save this as `([\w.]+)`:\n\n```\w+\n([\s\S]*?)```/g;
/** Packages of each framework, and the one with the plugin of Vite. */
const FRAMEWORKS = {
  "plain-javascript": { packages: [], plugin: undefined },
  vue: { packages: ["vue", "@vitejs/plugin-vue"], plugin: "@vitejs/plugin-vue" },
  svelte: { packages: ["svelte", "@sveltejs/vite-plugin-svelte"], plugin: "@sveltejs/vite-plugin-svelte" },
} as const;
type Framework = keyof typeof FRAMEWORKS;

/** Writes the files of a page of the documentation, and returns the script that a page loads. */
async function bundleTutorial(name: Framework): Promise<string> {
  const { packages, plugin } = FRAMEWORKS[name];
  const folder = await installPacked(["client"], [...packages]);
  const markdown = await readFile(join("docs/tutorials", `${name}.md`), "utf8");
  await mkdir(join(folder, "src"));
  for (const [, file = "", code = ""] of markdown.matchAll(FILE)) await writeFile(join(folder, "src", file), code);
  const plugins: PluginOption[] = plugin ? [await loadPlugin(folder, plugin)] : [];
  await build({
    ...{ root: folder, configFile: false, logLevel: "error", plugins },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      ...{ lib: { entry: "src/main.js", formats: ["es"], fileName: "bundle" }, outDir: "bundled", minify: true },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return readFile(join(folder, "bundled/bundle.js"), "utf8");
}

async function loadPlugin(folder: string, name: string): Promise<PluginOption> {
  const path = createRequire(join(folder, "package.json")).resolve(name);
  const exported = Object(await import(path));
  return name.endsWith("svelte") ? exported.svelte() : exported.default();
}

async function openPage(workspace: TestWorkspace, url: string, user: string) {
  const page = await newPage();
  onTestFinished(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.route("**/service", (route) => route.fulfill({ body: service.address }));
  await page.route("**/token?*", async (route) => route.fulfill({ body: await tokenFor(workspace, user) }));
  await page.goto(`${url}?user=${user}`);
  await page.evaluate('import("/script.js")');
  return { page, problems };
}

describeInBrowser("pages of other frameworks", () => {
  test.each(Object.keys(FRAMEWORKS) as Framework[])("two users comment in %s", { timeout: 240_000 }, async (name) => {
    const script = await bundleTutorial(name);
    const workspace = await workspaceWithDocument(service);
    await workspace.call("/v2/workspace/domains/add", { domains: ["localhost"] });
    const url = servePage(script);
    const [ada, grace] = [await openPage(workspace, url, "ada"), await openPage(workspace, url, "grace")];
    await ada.page.getByLabel("Comment").fill("When is it due?");
    await ada.page.getByRole("button", { name: "Send" }).click();
    for (const { page } of [ada, grace]) await page.getByText("The user ada: When is it due?").waitFor();
    await grace.page.getByLabel("Comment").fill("In thirty days.");
    await grace.page.getByRole("button", { name: "Send" }).click();
    await ada.page.getByText("The user grace: In thirty days.").waitFor();

    const messages: string[] = [];
    ada.page.on("dialog", (dialog) => {
      messages.push(dialog.message());
      void dialog.accept();
    });
    await ada.page.route("**/v2/commentannotations/add", (route) => route.fulfill(FAILED), { times: 1 });
    await ada.page.getByLabel("Comment").fill("Lost?");
    await ada.page.getByRole("button", { name: "Send" }).click();
    if (name === "plain-javascript") await expect.poll(() => messages).toEqual(["It fails."]);
    else await ada.page.getByRole("alert").getByText("It fails.").waitFor();
    expect(await ada.page.getByText(": Lost?").count()).toBe(0);
    expect([...ada.problems, ...grace.problems]).toEqual([]);
  });
});

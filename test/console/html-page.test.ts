import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, visitor } from "./visitor.ts";

const { address } = await startTestService();
const CONSOLE = join(import.meta.dirname, "../../build/console");

describeInBrowser("the first page", () => {
  test("loads less than 200 kB of compressed script", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.open(`/${workspace.id}/overview`);
    await owner.loaded();
    const scripts = await owner.page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"))',
    );
    expect(scripts.length).toBeGreaterThan(1);
    const built = new Set(scripts.map((url) => join(CONSOLE, new URL(url).pathname.replace("/console/", ""))));
    const sizes = await Promise.all([...built].map(async (path) => gzipSync(await readFile(path)).length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  });
});

describeInBrowser("the console's HTML page", () => {
  test("has no inline script, and its content security policy blocks injected ones", async () => {
    const stranger = await visitor({ address });
    const response = await stranger.page.goto(`${address}/console`);
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(await stranger.page.locator("script:not([src])").count()).toBe(0);
    await stranger.sees("Sign in to Colloquy");
    // An injected script does not run.
    await stranger.page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken over'";
      document.body.append(script);
    `);
    expect(await stranger.page.title()).toBe("Sign in · Colloquy");
    expect(stranger.problems).toEqual([expect.stringContaining("Content Security Policy")]);
  });
});

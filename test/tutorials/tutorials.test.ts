import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { startTestService } from "../harness.ts";
import { copyProject, Reader, readTutorial } from "./tutorial.ts";

const service = await startTestService();
const project = copyProject(await mkdtemp(join(inject("runDirectory"), "tutorials-")));

/** Returns a port that nothing uses. */
async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Follows a tutorial as the owner of a new workspace. Returns the reader and the address of the page. */
async function follow(name: string): Promise<{ reader: Reader; address: string }> {
  const { apiKey, authToken } = await service.workspace();
  const credentials = { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken };
  const port = await findFreePort();
  const reader = new Reader(project, { ...credentials, PUBLIC_URL: service.address }, { 3000: port });
  await reader.follow(readTutorial(name));
  return { reader, address: `http://localhost:${port}` };
}

/** Opens a page and collects what goes wrong on it. */
async function open(url: string): Promise<{ page: Page; problems: string[] }> {
  const page = await newPage();
  registerCleanup(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems };
}

describeInBrowser("the tutorials", () => {
  test("the bell counts notifications as they arrive, and none after a click", async () => {
    const { reader, address } = await follow("bell");
    const { page, problems } = await open(`${address}/?user=ada`);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    await reader.run('node notify.js "$COLLOQUY_URL" "$API_KEY" "$AUTH_TOKEN" "Please sign contract 8"');
    await page.getByText("Please sign contract 8").waitFor();
    await page.getByRole("button", { name: "Notifications, 2 unread" }).click();
    await page.getByRole("button", { name: "Notifications, 0 unread" }).waitFor();
    expect(problems).toEqual([]);
  });
});

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { expectClosedElsewhere } from "../other-organization.ts";
import { npmRun, ServiceProcess, temporaryDataDir } from "../service-process.ts";

const ADDRESS = /^Open (http:\/\/localhost:\d+)$/m;
/** Text that the example writes into its document. */
const LAST_LINE = "Test the import of old boards";

/** Returns a port that nothing uses. */
async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Opens a page and collects what goes wrong on it. */
async function open(url: string): Promise<{ page: Page; problems: string[] }> {
  const page = await newPage({ viewport: { width: 1440, height: 900 } });
  registerCleanup(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => problems.push(message.text()));
  await page.goto(url);
  return { page, problems };
}

/** Returns the window of a user on the page, and its parts. */
function toWindow(page: Page, name: string): { window: Locator; text: Locator; avatars: Locator } {
  const window = page.getByRole("region", { name, exact: true });
  const text = window.getByRole("textbox", { name: "Launch plan" });
  return { window, text, avatars: window.getByRole("list", { name: "In this document" }).getByRole("listitem") };
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === node.ownerDocument.activeElement);
}

describeInBrowser("the example of a workspace", () => {
  test("one command starts it, and what one user types, comments and reads, the other sees once", async () => {
    const environment = { DATA_DIR: await temporaryDataDir({ isPostgresPrepared: true }), PORT: await findFreePort() };
    const app = new ServiceProcess(environment, [...npmRun("example:workspace-app"), "--", "--port", "0"]);
    const [, url = ""] = await app.waitForOutput(ADDRESS);
    const { page, problems } = await open(url);
    const [ada, grace] = [toWindow(page, "Ada Lovelace"), toWindow(page, "Grace Hopper")];

    for (const { text, avatars } of [ada, grace]) {
      await text.getByText(LAST_LINE).waitFor();
      await expect.poll(() => avatars.count()).toBe(2);
    }
    await ada.text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" and new ones");
    await grace.text
      .getByRole("listitem")
      .filter({ hasText: `${LAST_LINE} and new ones` })
      .waitFor();
    await grace.text.getByText("Ada Lovelace").waitFor();
    await ada.window.getByRole("status").getByText("Saved").waitFor();

    await ada.window.getByLabel("New comment").fill("Who will write the release notes?");
    await ada.window.getByRole("button", { name: "Comment", exact: true }).dblclick();
    await grace.window.getByText("Ada Lovelace started a discussion").waitFor();
    await grace.window.getByLabel("Reply").fill("I do.");
    await grace.window.getByRole("button", { name: "Send" }).click();
    await ada.window.getByRole("article").getByText("I do.").waitFor();
    expect(await ada.window.getByRole("article", { name: "Thread started by Ada" }).count()).toBe(1);
    await ada.window.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    await grace.window.getByRole("button", { name: "Notifications, 1 unread" }).click();
    await grace.window.getByRole("button", { name: "Mark as read" }).press("Enter");
    await grace.window.getByRole("button", { name: "Notifications", exact: true }).waitFor();
    await expect.poll(() => isFocused(grace.window.getByRole("list", { name: "Notifications" }))).toBe(true);
    await page.keyboard.press("Escape");
    expect(await grace.window.getByRole("region", { name: "Inbox" }).count()).toBe(0);
    expect(await isFocused(grace.window.getByRole("button", { name: "Notifications" }))).toBe(true);
    await ada.window.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    expect(problems).toEqual([]);
    const credentials = JSON.parse(await readFile(join(environment.DATA_DIR, "credentials.json"), "utf8"));
    await expectClosedElsewhere(url, credentials);

    await page.close();
    await app.terminate();
    await expect(fetch(`http://127.0.0.1:${environment.PORT}/healthz`)).rejects.toThrow();
  });
});

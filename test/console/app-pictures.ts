import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ClientOptions, createClient } from "@colloquy/client";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startBackend } from "../../examples/workspace-app/backend.ts";
import { buildPage } from "../../examples/workspace-app/build-page.ts";
import { DOCUMENT } from "../../examples/workspace-app/team.ts";

const DESKTOP = { viewport: { width: 1280, height: 1024 }, colorScheme: "light" as const };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: "dark" as const };

/** Lets users of the example of a workspace comment, and takes pictures of it: in a window, in dark, and on a phone. */
export async function takeAppPictures(browser: Browser, folder: string, options: ClientOptions): Promise<void> {
  const server = await startBackend(options, await buildPage(), 0);
  const { port } = server.address() as AddressInfo;
  async function open(userId: string, context: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext({ reducedMotion: "reduce", ...context })).newPage();
    await page.goto(`http://localhost:${port}/?user=${userId}`);
    await page.getByText("Test the import of old boards").waitFor();
    return page;
  }
  const [ada, grace, alan] = [await open("ada", DESKTOP), await open("grace", DESKTOP), await open("alan", PHONE)];
  await type(grace, "Guests join by a link", " They can comment.");
  await createClient(options).call("/v2/crdt/versions/add", { ...DOCUMENT, name: "Sent to sales" });
  await ada.reload();
  await comment(ada, "We ship on Thursday", "Is Thursday still the date? Sales has announced it.");
  const report = { name: "import-report.csv", mimeType: "text/csv", buffer: Buffer.alloc(48_200, "board,items\n") };
  await reply(grace, "Is Thursday still the date?", "Yes, if the import passes its tests.", report);
  await comment(grace, "Test the import", "41,000 boards, no difference.");
  await ada.getByRole("button", { name: "Add pin" }).click();
  await ada.getByRole("button", { name: "Click where" }).click({ position: { x: 560, y: 60 } });
  await write(ada, "Could this card stand out more?");
  await grace.getByRole("button", { name: "Pin 4" }).waitFor();
  await grace.getByRole("img", { name: "Sketch" }).hover({ position: { x: 420, y: 60 } });
  await ada.locator(".colloquy-cursor").getByText("Grace Hopper").waitFor();
  await ada.getByRole("button", { name: "First draft" }).click();
  await ada.locator("ins").waitFor();
  await ada.evaluate("scrollTo(0, 0)");
  await ada.screenshot({ path: join(folder, "workspace-app.png"), animations: "disabled" });
  await grace.getByRole("button", { name: "Pin 1" }).click();
  await grace.locator(".colloquy-popover").getByRole("button", { name: "Resolve" }).click();
  await grace.getByRole("button", { name: "Pin 1" }).waitFor({ state: "detached" });
  await ada.getByRole("button", { name: "Dark" }).click();
  await ada.getByRole("button", { name: /^Inbox/ }).click();
  await ada.getByRole("region", { name: "Inbox" }).getByText("resolved #1").waitFor();
  await ada.screenshot({ path: join(folder, "workspace-app-dark.png"), animations: "disabled" });
  await ada.locator(".colloquy-popover").screenshot({ path: join(folder, "inbox.png") });
  await alan.getByRole("button", { name: "Pin 4" }).waitFor();
  await alan.screenshot({ path: join(folder, "workspace-app-phone.png"), animations: "disabled" });
  for (const page of [ada, grace, alan]) await page.context().close();
  server.close().closeAllConnections();
}

/** Types at the end of the line that has these words. */
async function type(page: Page, words: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Launch plan" }).getByText(words).click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
  await page.getByRole("status").getByText("Saved").waitFor();
}

/** Comments on the line that begins with these words. */
async function comment(page: Page, words: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Launch plan" }).getByText(words).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.getByRole("button", { name: "Comment on the selection" }).click();
  await write(page, text);
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Comment" }).fill(text);
  await page.keyboard.press("Control+Enter");
  await page
    .getByRole("article")
    .getByText(text)
    .or(page.getByRole("button", { name: /^Pin/ }))
    .first()
    .waitFor();
}

interface AttachedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

async function reply(page: Page, words: string, text: string, file: AttachedFile): Promise<void> {
  const thread = page.getByRole("article").filter({ hasText: words });
  await thread.getByRole("textbox", { name: "Reply" }).fill(text);
  await thread.locator("input[type=file]").setInputFiles(file);
  await thread.getByRole("progressbar").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Enter");
  await thread.getByText(text).waitFor();
}

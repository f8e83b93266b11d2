import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { expectClosedElsewhere } from "../other-organization.ts";
import { accessibilityViolations } from "../packages/react-page.ts";
import { npmRun, ServiceProcess, temporaryDataDir } from "../service-process.ts";

const ADDRESS = /^Open (http:\/\/localhost:\d+)$/m;
/** Text that the example writes into its document. */
const LAST_LINE = "Test the import of old boards";
/** What a thread says whose text was deleted. */
const DETACHED = "This text is no longer in the document.";

/** Opens the page of a user and collects what goes wrong on it. */
async function open(url: string, userId: string, problems: string[], context = {}): Promise<Page> {
  const page = await newPage({ viewport: { width: 1440, height: 900 }, ...context });
  registerCleanup(() => page.context().close());
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => problems.push(message.text()));
  await page.goto(`${url}/?user=${userId}`);
  await getText(page).getByText(LAST_LINE).waitFor();
  return page;
}

function getText(page: Page): Locator {
  return page.getByRole("textbox", { name: "Launch plan" });
}

/** Selects the last line of the document, and writes a comment on it. */
async function commentOnLastLine(page: Page, text: string): Promise<void> {
  await getText(page).getByText(LAST_LINE).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.getByRole("button", { name: "Comment on the selection" }).click();
  await page.getByRole("textbox", { name: "Comment" }).fill(text);
  await page.keyboard.press("Control+Enter");
}

/** Starts the example and its service. */
async function start() {
  const environment = {
    DATA_DIR: await temporaryDataDir({ isPostgresPrepared: true }),
    PORT: String(await freePort()),
  };
  const app = new ServiceProcess(environment, [...npmRun("example:workspace-app"), "--", "--port", "0"]);
  const [, url = ""] = await app.waitForOutput(ADDRESS);
  return { app, environment, url, problems: [] as string[] };
}

/** Begins a comment on the line of the caret by keys, and writes it. A redraw of the editor may undo the selection. */
async function commentByKeys(page: Page, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: "Comment" });
  await eventually(async () => {
    await getText(page).focus();
    for (const key of ["Home", "Shift+End", "Control+Alt+m"]) await page.keyboard.press(key);
    await composer.waitFor({ timeout: 2_000 });
  });
  await expectFocus(composer);
  await page.keyboard.type(text);
}

/** Waits until an element or one in it has the focus. */
async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((each) => each.contains(each.ownerDocument.activeElement))).toBe(true);
}

/** Presses a button by the keyboard. */
async function press(button: Locator): Promise<void> {
  await button.focus();
  await button.press("Enter");
}

describeInBrowser("the example of a workspace", () => {
  test("one command starts it, and what one user types, comments and pins, the others see once", async () => {
    const { app, environment, url, problems } = await start();
    const [ada, grace] = [await open(url, "ada", problems), await open(url, "grace", problems)];
    for (const page of [ada, grace]) {
      await expect.poll(() => page.getByRole("list", { name: "In this document" }).locator("li").count()).toBe(2);
    }
    await getText(ada).click();
    await ada.keyboard.press("Control+End");
    await ada.keyboard.type(" and new ones");
    await getText(grace).getByText(`${LAST_LINE} and new ones`).waitFor();
    await ada.getByRole("status").getByText("Saved").waitFor();

    await grace.reload();
    await grace.getByRole("button", { name: "First draft" }).click();
    const changes = grace.getByRole("group", { name: "Changes since this version" });
    await changes.getByTitle("Ada Lovelace").getByText(" and new ones").waitFor();

    await commentOnLastLine(ada, "Who will test it?");
    const thread = grace.getByRole("complementary", { name: "Comments" }).getByRole("article");
    await thread.getByText("Who will test it?").waitFor();
    const words = (await getText(grace).locator("mark").boundingBox()) ?? { x: 0, y: 0 };
    expect(await getText(grace).locator("mark").innerText()).toBe(`${LAST_LINE} and new ones`);
    expect(Math.abs(((await thread.boundingBox())?.y ?? 0) - words.y)).toBeLessThan(10);
    await getText(ada).getByText(LAST_LINE).click();
    for (const key of ["Home", "Shift+End", "Delete"]) await ada.keyboard.press(key);
    await thread.getByText(DETACHED).waitFor();
    await ada.keyboard.press("Control+z");
    await thread.getByText(DETACHED).waitFor({ state: "detached" });
    await thread.getByRole("textbox", { name: "Reply" }).fill("I do.");
    const report = { name: "report.csv", mimeType: "text/csv", buffer: Buffer.from("board,items\n") };
    await thread.locator("input[type=file]").setInputFiles(report);
    await thread.getByRole("progressbar").waitFor({ state: "detached" });
    await grace.keyboard.press("Control+Enter");
    await ada.getByRole("link", { name: "report.csv" }).waitFor();
    await ada.getByRole("button", { name: "Inbox, 1 unread" }).click();
    await ada.getByRole("region", { name: "Inbox" }).getByText("Grace Hopper commented").click();
    await ada.getByRole("button", { name: "Inbox, 0 unread" }).waitFor();

    await ada.getByRole("button", { name: "Pin 1 by Ada Lovelace" }).click();
    await ada.getByRole("link", { name: "interviews.txt" }).waitFor();
    await ada.keyboard.press("Escape");
    await ada.getByRole("button", { name: "Add pin" }).click();
    await ada.getByRole("button", { name: "Click where" }).click({ position: { x: 300, y: 120 } });
    await ada.getByRole("textbox", { name: "Comment" }).fill("Larger?");
    await ada.keyboard.press("Control+Enter");
    await grace.getByRole("button", { name: "Pin 3 by Ada Lovelace" }).click();
    await grace.getByText("Larger?").waitFor();
    expect(problems).toEqual([]);

    // A viewer on a phone reads all of it, and is offered nothing that writes.
    const mary = await open(url, "mary", problems, { viewport: { width: 390, height: 844 } });
    await mary.getByRole("article").getByText("I do.").waitFor();
    for (const name of ["Comment on the selection", "Add pin", "Resolve"]) {
      expect(await mary.getByRole("button", { name }).count()).toBe(0);
    }
    expect(await mary.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await mary.getByRole("button", { name: "Dark" }).click();
    for (const page of [ada, mary]) expect(await accessibilityViolations(page)).toEqual([]);
    const credentials = JSON.parse(await readFile(join(environment.DATA_DIR, "credentials.json"), "utf8"));
    await expectClosedElsewhere(url, credentials);

    for (const page of [ada, grace, mary]) await page.close();
    await app.terminate();
    await expect(fetch(`http://127.0.0.1:${environment.PORT}/healthz`)).rejects.toThrow();
  });

  test("the keyboard goes from the text to comments, pins and the inbox, and its focus is never lost", async () => {
    const { app, url, problems } = await start();
    const [ada, grace] = [await open(url, "ada", problems), await open(url, "grace", problems)];
    const text = getText(ada);
    const articles = ada.getByRole("complementary", { name: "Comments" }).getByRole("article");
    await text.focus();
    await ada.keyboard.press("Control+End");
    await commentByKeys(ada, "Later");
    await ada.keyboard.press("Escape");
    await expectFocus(text);
    for (const comment of ["Who will test it?", "And when?", "And where, @Grace Hopper"]) {
      await commentByKeys(ada, comment.replace(" Hopper", ""));
      if (comment.includes("@")) {
        await ada.getByRole("option", { name: "Grace Hopper", exact: true }).waitFor();
        await ada.keyboard.press("Enter");
      }
      await ada.keyboard.press("Control+Enter");
      await articles.filter({ hasText: comment }).waitFor();
      await expectFocus(text);
      await ada.keyboard.press("ArrowUp");
    }

    for (const key of ["Alt+F9", "Shift+Alt+F9", "Control+Alt+m"]) await ada.keyboard.press(key);
    await expectFocus(articles.filter({ hasText: "And where" }));
    await ada.keyboard.press("Escape");
    await expectFocus(text);
    await ada.keyboard.press("Control+Alt+m");
    await press(articles.filter({ hasText: "And where" }).getByRole("button", { name: "Resolve" }));
    await expectFocus(articles.filter({ hasText: "And when?" }));
    await press(articles.filter({ hasText: "And when?" }).getByRole("button", { name: "Actions" }));
    await press(ada.getByRole("menuitem", { name: "Delete" }));
    await press(ada.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
    await expectFocus(articles.filter({ hasText: "Who will test it?" }));
    await press(articles.getByRole("button", { name: "Resolve" }));
    await expectFocus(text);

    await press(ada.getByRole("button", { name: "Pin 1 by Ada Lovelace" }));
    await press(ada.locator(".colloquy-popover").getByRole("button", { name: "Resolve" }));
    await expectFocus(ada.getByRole("button", { name: "Add pin" }));

    await press(grace.getByRole("button", { name: /^Inbox, \d unread/ }));
    await press(
      grace
        .getByRole("region", { name: "Inbox" })
        .getByRole("button", { name: /^Ada Lovelace/ })
        .first(),
    );
    await expectFocus(grace.getByRole("button", { name: /^Inbox, \d unread/ }));
    expect(problems).toEqual([]);
    for (const page of [ada, grace]) await page.close();
    await app.terminate();
  });
});

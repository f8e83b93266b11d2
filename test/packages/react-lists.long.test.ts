import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { focusedName } from "./react-page.ts";
import { openList } from "./stories/open-story.ts";
import { seed } from "./stories/seed.ts";

/** Script that returns how long a cursor takes to move. */
const TRANSITION = 'getComputedStyle(document.querySelector(".colloquy-cursor")).transitionDuration';

const service = await startTestService();

describeInBrowser("two users", () => {
  let workspace: TestWorkspace;
  beforeEach(async () => {
    workspace = await service.publicWorkspace();
    await seed(workspace);
  });
  const open = (story: string, userId: string) => openList({ address: service.address, workspace, story, userId });

  test("a bell counts a mention at once, and the inbox archives it by keyboard and takes it back", async () => {
    const page = await open("inbox-button", "ada");
    await page.getByRole("button", { name: "Inbox, 6 unread" }).click();
    const inbox = page.getByRole("region", { name: "Inbox" });
    const entries = inbox.locator(".colloquy-notification");
    await expect.poll(() => entries.count()).toBe(5);
    const text = { text: "@Ada Lovelace", userId: "ada", contact: { userId: "ada" } };
    const comment = { from: { userId: "grace", name: "Grace Hopper" }, commentText: "@Ada Lovelace ready?" };
    await workspace.data("/v2/commentannotations/comments/add", {
      ...{ organizationId: "acme", documentId: "brand", annotationId: "logo" },
      commentData: [{ ...comment, taggedUserContacts: [text], triggerNotification: true }],
    });
    await page.getByRole("button", { name: "Inbox, 7 unread" }).waitFor();
    const first = entries.first();
    await first.getByRole("button", { name: "1 earlier" }).waitFor();

    await inbox.getByRole("tab", { name: "All" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    await expect.poll(() => focusedName(page)).toContain("Grace Hopper mentioned you");
    for (let count = 0; count < 3; count += 1) await page.keyboard.press("Tab");
    expect(await focusedName(page)).toBe("Archive: Grace Hopper mentioned you");
    await page.keyboard.press("Enter");
    await expect.poll(() => entries.count()).toBe(4);
    await page.getByRole("button", { name: "Inbox, 5 unread" }).waitFor();

    await inbox.getByRole("tab", { name: "All" }).focus();
    await page.keyboard.press("ArrowLeft");
    expect(await focusedName(page)).toBe("Archived");
    await inbox.getByRole("button", { name: "Move to inbox" }).click();
    await inbox.getByText("No archived notifications.").waitFor();
    await page.keyboard.press("Escape");
    expect(await focusedName(page)).toBe("Inbox, 5 unread");
  });

  test("the buttons of an inbox are shown on a touch screen, below texts of the full width", async () => {
    const context = { viewport: { width: 390, height: 720 }, hasTouch: true, isMobile: true };
    const page = await openList({ address: service.address, workspace, story: "inbox", userId: "ada", context });
    const entry = page.locator(".colloquy-notification").first();
    const archive = entry.getByRole("button", { name: /^Archive/ });
    await archive.waitFor();
    expect(await archive.evaluate((button) => button.checkVisibility({ opacityProperty: true }))).toBe(true);
    const text = await entry.locator(".colloquy-notification-text").boundingBox();
    expect(text?.width).toBeGreaterThan(280);
    expect((await archive.boundingBox())?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0));
  });

  test("a pin appears for the other user, moves by keyboard and pointer, and opens its thread", async () => {
    const [ada, grace] = await Promise.all([open("pins", "ada"), open("pins", "grace")]);
    await ada.getByRole("button", { name: "Pin 3 by Ada Lovelace" }).waitFor();
    await ada.getByRole("button", { name: "Add pin" }).click();
    await ada.keyboard.press("Escape");
    expect(await ada.getByRole("button", { name: "Click where" }).count()).toBe(0);
    expect(await focusedName(ada)).toBe("Add pin");

    await ada.keyboard.press("Enter");
    const board = await getBox(ada, "#board");
    await ada.mouse.click(board.x + board.width * 0.8, board.y + board.height * 0.25);
    await ada.getByRole("textbox", { name: "Comment" }).fill("Too small?");
    await ada.keyboard.press("Control+Enter");
    const seen = grace.getByRole("button", { name: "Pin 4 by" });
    await seen.waitFor();
    await expect.poll(() => getPoint(grace, 4)).toEqual({ x: 0.8, y: 0.25 });

    const own = ada.getByRole("button", { name: "Pin 4 by" });
    await own.focus();
    await ada.keyboard.down("ArrowRight");
    await ada.keyboard.press("Escape");
    await ada.keyboard.up("ArrowRight");
    await ada.keyboard.press("Shift+ArrowLeft");
    await expect.poll(() => getPoint(grace, 4)).toEqual({ x: 0.75, y: 0.25 });
    const pin = await getBox(ada, ".colloquy-pin:has-text('Pin 4')");
    await ada.mouse.move(pin.x + 10, pin.y + 10);
    await ada.mouse.down();
    await ada.mouse.move(board.x + board.width / 2, board.y + board.height / 2, { steps: 4 });
    await ada.mouse.up();
    await expect.poll(() => getPoint(grace, 4)).toEqual({ x: 0.5, y: 0.5 });
    expect(await ada.getByRole("article").count()).toBe(0);

    await seen.click();
    const thread = grace.getByRole("article");
    await thread.getByText("Too small?").waitFor();
    const { x, y, width, height } = await getBox(grace, ".colloquy-popover");
    const window = grace.viewportSize() ?? { width: 0, height: 0 };
    expect(x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height).toBe(true);
    await grace.keyboard.press("Escape");
    await thread.waitFor({ state: "detached" });
    expect(await focusedName(grace)).toContain("Pin 4");
  });

  test("a viewer gets no button to add pins, and moves none", async () => {
    await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
    const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
    const page = await openList({ address: service.address, workspace, story: "pins", userId: "mary", resources });
    const pin = page.getByRole("button", { name: "Pin 3" });
    await pin.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await getPoint(page, 3)).toEqual({ x: 0.17, y: 0.78 });
    expect(await page.getByRole("button", { name: "Add pin" }).count()).toBe(0);
  });

  test("a pointer is shown at its place to the other user, and not once it has left", async () => {
    const [ada, grace] = await Promise.all([open("cursors", "ada"), open("cursors", "grace")]);
    const board = await getBox(ada, "#board");
    const cursor = grace.locator(".colloquy-cursor").filter({ hasText: "Ada Lovelace" });
    await ada.mouse.move(board.x + board.width / 2, board.y + board.height / 4);
    await cursor.waitFor();
    const seen = await getBox(grace, "#board");
    const { x, y } = (await cursor.boundingBox()) ?? { x: 0, y: 0 };
    expect([(x - seen.x) / seen.width, (y - seen.y) / seen.height].map((part) => part.toFixed(2))).toEqual([
      "0.50",
      "0.25",
    ]);
    // The browser of the tests asks for reduced motion.
    expect(await grace.evaluate(TRANSITION)).toBe("0s");
    await ada.mouse.move(0, 0);
    await cursor.waitFor({ state: "detached" });
  });

  test("the threads of a document are filtered, sorted and opened, also by keyboard", async () => {
    const page = await open("threads", "ada");
    const list = page.getByRole("list", { name: "Comments" });
    const getNumbers = () => list.locator(".colloquy-badge").allInnerTexts();
    await expect.poll(getNumbers).toEqual(["#2", "#1"]);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("radio", { name: "Oldest" }).check();
    expect(await getNumbers()).toEqual(["#1", "#2"]);
    await page.getByRole("radio", { name: "Open" }).check();
    expect(await getNumbers()).toEqual(["#2"]);
    await page.getByRole("checkbox", { name: "Assigned to me" }).check();
    await page.getByText("No comments match these filters.").waitFor();
    await page.getByRole("checkbox", { name: "Assigned to me" }).uncheck();
    await page.getByRole("radio", { name: "All" }).check();
    await page.getByRole("checkbox", { name: "Unread" }).check();
    await expect.poll(getNumbers).toEqual(["#1"]);
    await page.getByRole("checkbox", { name: "Unread" }).uncheck();
    await page.keyboard.press("Escape");
    expect(await focusedName(page)).toBe("Filter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await list.getByRole("article").getByText("The German ones are done").waitFor();
    await page.getByText("2 threads").waitFor();
    const unread = list.getByRole("button", { name: /\(unread\)/ });
    await unread.click();
    await expect.poll(() => unread.count()).toBe(0);
    const documentIds = ["launch-plan"];
    const count = { organizationId: "acme", documentIds, userId: "ada" };
    const readCount = () => workspace.data("/v2/commentannotations/count/get", count);
    await expect.poll(readCount).toMatchObject({ "launch-plan": { unread: 0 } });
  });

  test("a user chooses what reaches the inbox and the mailbox, in all documents and in one", async () => {
    const page = await open("preferences", "ada");
    const scope = { organizationId: "acme", userId: "ada" };
    const readOwn = () => workspace.data("/v2/notifications/config/documents/get", scope);
    await page.getByRole("combobox", { name: "All documents Email" }).selectOption("None");
    const plan = page.getByRole("combobox", { name: "Launch plan Email" });
    await plan.getByText("None (default)").waitFor({ state: "attached" });
    await plan.selectOption("For me");
    const pricing = { documentId: "pricing", config: { inbox: "MINE", email: "NONE" } };
    await expect.poll(readOwn).toEqual([{ documentId: "launch-plan", config: { email: "MINE" } }, pricing]);
    await plan.selectOption("None (default)");
    await expect.poll(readOwn).toEqual([pricing]);
    const [all] = await workspace.data("/v2/notifications/config/get", { ...scope, getOrganizationConfig: true });
    expect(all?.config).toEqual({ inbox: "ALL", email: "NONE" });
  });
});

async function getBox(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not shown.`);
  return box;
}

/** Returns where the tip of a pin is, in parts of the board. */
async function getPoint(page: Page, number: number): Promise<{ x: number; y: number }> {
  const place = page
    .locator(".colloquy-pin-place")
    .filter({ has: page.getByRole("button", { name: `Pin ${number}` }) });
  const [board, pin] = [await getBox(page, "#board"), await place.boundingBox()];
  const toPart = (distance: number, size: number) => Math.round((100 * distance) / size) / 100;
  return { x: toPart((pin?.x ?? 0) - board.x, board.width), y: toPart((pin?.y ?? 0) - board.y, board.height) };
}

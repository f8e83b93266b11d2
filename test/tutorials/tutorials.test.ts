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
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { typeBesideCaret } from "../typing.ts";
import { copyProject, Reader, readTutorial, startCommandOf } from "./tutorial.ts";

/** Timeout of tests that start a service and install packages, which has taken over a minute beside other work. */
const TUTORIAL_TIMEOUT_MS = 360_000;

const service = await startTestService();
const project = copyProject(await mkdtemp(join(inject("runDirectory"), "tutorials-")));

/** Returns a port that nothing uses. */
async function findFreePort(host = "localhost"): Promise<string> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

interface Followed {
  reader: Reader;
  /** Address of the page. */
  address: string;
}

/** Follows a tutorial from its first command on, which starts a new service. Its first workspace is the reader's. */
async function followFromStart(name: string): Promise<Followed> {
  const DATA_DIR = await temporaryDataDir({ isPostgresPrepared: true });
  const environment = { DATA_DIR, PORT: await findFreePort("127.0.0.1") };
  const start = startCommandOf(readTutorial(name)).replace(/npm start$/, "exec npm start");
  await new ServiceProcess(environment, ["bash", "-c", `cd '${project}'; ${start}`]).address();
  return follow(name, environment);
}

/** Follows a tutorial as the owner of a new workspace. The service runs already. */
async function followInWorkspace(name: string): Promise<Followed> {
  const { apiKey, authToken } = await service.workspace();
  const credentials = { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken };
  return follow(name, { ...credentials, PUBLIC_URL: service.address });
}

async function follow(name: string, environment: Record<string, string>): Promise<Followed> {
  const port = await findFreePort();
  const reader = new Reader(project, environment, { 3000: port });
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

describeInBrowser("the tutorials", testTutorials, TUTORIAL_TIMEOUT_MS);

function testTutorials(): void {
  test("the bell counts notifications as they arrive, and none after a click", async () => {
    const { reader, address } = await followFromStart("bell");
    const { page, problems } = await open(`${address}/?user=ada`);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    await reader.run('node notify.js "$COLLOQUY_URL" "$API_KEY" "$AUTH_TOKEN" "Please sign contract 8"');
    await page.getByText("Please sign contract 8").waitFor();
    await page.getByRole("button", { name: "Notifications, 2 unread" }).click();
    await page.getByRole("button", { name: "Notifications, 0 unread" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("comments and replies appear in the window of the other user, on the document that both have open", async () => {
    const { address } = await followInWorkspace("comments");
    const [ada, grace, other] = [
      await open(`${address}/?user=ada`),
      await open(`${address}/?user=grace`),
      await open(`${address}/?user=ada&on=task-12`),
    ];
    await ada.page.getByLabel("New comment").fill("When is it due?");
    await ada.page.getByRole("button", { name: "Comment" }).click();
    await grace.page.getByText("When is it due?").waitFor();
    await grace.page.getByLabel("Reply").fill("Within thirty days.");
    await grace.page.getByRole("button", { name: "Send" }).click();
    await ada.page.getByRole("article").getByText("Within thirty days.").waitFor();
    await ada.page.getByRole("button", { name: "Resolve" }).click();
    await grace.page.getByText("Resolved", { exact: true }).waitFor();
    await other.page.getByRole("heading", { name: "Comments on task-12" }).waitFor();
    expect(await other.page.getByRole("article").count()).toBe(0);
    expect([ada, grace, other].flatMap(({ problems }) => problems)).toEqual([]);
  });

  test("what one user types in the editor, the other sees with their cursor", async () => {
    const { address } = await followInWorkspace("editor");
    const [ada, grace] = [await open(`${address}/?user=ada`), await open(`${address}/?user=grace`)];
    const texts = [ada, grace].map(({ page }) => page.getByRole("textbox", { name: "Contract" }));
    for (const text of texts) await text.getByText("Payment is due within thirty days.").waitFor();
    await texts[0]?.click();
    await ada.page.keyboard.press("Control+End");
    await ada.page.keyboard.type(" Or sixty.");
    await texts[1]?.getByText("thirty days. Or sixty.").waitFor();
    await grace.page.locator(".collaboration-carets__label", { hasText: "ada" }).waitFor({ state: "attached" });
    await texts[1]?.click();
    await grace.page.keyboard.press("Control+End");
    await typeBesideCaret(grace.page, " Thirty.", async () => (await texts[1]?.textContent()) ?? "");
    await texts[0]?.getByText("Or sixty. Thirty.").waitFor();
    await ada.page.getByText("Saved", { exact: true }).waitFor();
    expect([ada, grace].flatMap(({ problems }) => problems)).toEqual([]);
  });

  test("the feed shows earlier activities, and new ones without a reload", async () => {
    const { reader, address } = await followInWorkspace("activity-feed");
    const { page, problems } = await open(address);
    await page.getByText("Grace Hopper has signed the contract").waitFor();
    await reader.run('node record.js "$COLLOQUY_URL" "$API_KEY" "$AUTH_TOKEN" "has paid the invoice"');
    await page.getByText("Grace Hopper has paid the invoice").waitFor();
    const texts = await page.getByRole("listitem").allTextContents();
    expect(texts.map((text) => text.slice(text.indexOf("Grace")))).toEqual([
      "Grace Hopper has paid the invoice",
      "Grace Hopper has signed the contract",
    ]);
    expect(problems).toEqual([]);
  });
}

test("a webhook is accepted with a valid signature, and refused with a changed body", async () => {
  const { reader } = await followFromStart("webhook");
  for (const line of ["Accepted comment_annotation.add", "Accepted invoice.paid", "Refused a message"]) {
    await expect.poll(() => reader.output).toContain(line);
  }
  expect(reader.output.match(/Refused a message/g)).toHaveLength(1);
});

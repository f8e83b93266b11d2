import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../console/visitor.ts";
import { openScene } from "./open-story.ts";

/** Opens a composer, whose comments `sent` returns. */
async function openComposer(story = "recorder") {
  const opened = await openScene({ story });
  const field = opened.page.getByRole("textbox").first();
  const sent = async (): Promise<object[]> => JSON.parse(await opened.page.locator("output").innerText());
  return { ...opened, field, sent };
}

/** Pastes into the field that has the focus. */
function paste(page: Page, data: Record<string, string>, file?: { name: string; type: string }): Promise<unknown> {
  return page.evaluate(
    `{
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
      const file = ${JSON.stringify(file ?? null)};
      if (file) clipboardData.items.add(new File(["bytes"], file.name, { type: file.type }));
      const event = { clipboardData, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", event));
    }`,
  );
}

describeInBrowser("a composer", () => {
  test("formats texts by keys, and sends HTML with the plain form", async () => {
    const { page, field, sent, problems } = await openComposer();
    await field.click();
    await page.keyboard.press("Control+b");
    await page.keyboard.type("Due");
    await page.keyboard.press("Control+b");
    await page.keyboard.type(" soon");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Shift+8");
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+i");
    await page.keyboard.type("two");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+Enter");
    await expect.poll(sent).toEqual([
      {
        text: "Due soon\n- one\n- two",
        html: "<p><strong>Due</strong> soon</p><ul><li>one</li><li><em>two</em></li></ul>",
        mentions: [],
        attachments: [],
      },
    ]);
    expect(await field.innerText()).toBe("\n");
    await page.keyboard.type("Line");
    await page.keyboard.press("Enter");
    await page.keyboard.type("& <b>line</b>");
    await page.keyboard.press("Control+Enter");
    await expect.poll(async () => (await sent())[1]).toMatchObject({ text: "Line\n& <b>line</b>" });
    expect((await sent())[1]).not.toHaveProperty("html");
    expect(problems).toEqual([]);
  });

  test("makes links by Control K, and only such that browsers may open", async () => {
    const { page, field, sent } = await openComposer();
    await field.pressSequentially("terms");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+k");
    const address = page.getByRole("textbox", { name: "Address of the link" });
    await address.fill("javascript:alert(1)");
    await address.press("Enter");
    expect(await address.getAttribute("aria-invalid")).toBe("true");
    await address.fill("example.com/terms");
    await address.press("Enter");
    await page.keyboard.press("Control+Enter");
    await expect.poll(sent).toMatchObject([
      {
        text: "terms (https://example.com/terms)",
        html: '<p><a href="https://example.com/terms">terms</a></p>',
      },
    ]);
  });

  test("offers users and groups to mention, by keys, and sends those whose mention is still there", async () => {
    const { page, field, sent } = await openComposer();
    await field.pressSequentially("Ask @gra");
    await page.getByRole("option", { name: /Grace/ }).waitFor();
    expect(await field.getAttribute("aria-activedescendant")).toBe(
      await page.getByRole("option", { selected: true }).getAttribute("id"),
    );
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("listbox").count()).toBe(0);
    await field.pressSequentially("or @");
    await page.getByRole("option").nth(2).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await field.pressSequentially("and @li");
    await page.getByRole("option", { name: /Linus/ }).click();
    for (let count = 0; count < 3; count += 1) await page.keyboard.press("Backspace");
    await field.pressSequentially(" at 9 @noon");
    await page.keyboard.press("Escape");
    expect(await page.getByText("Canceled").count()).toBe(0);
    await page.keyboard.press("Control+Enter");
    await expect.poll(sent).toMatchObject([
      {
        text: "Ask @Grace Hopper or @Legal team and @Linus Torval at 9 @noon",
        mentions: [
          { userId: "grace", text: "@Grace Hopper" },
          ...["grace", "linus", "alan"].map((userId) => ({ userId, text: "@Legal team" })),
        ],
      },
    ]);
    await page.keyboard.press("Escape");
    await page.getByText("Canceled").waitFor();
  });

  test("keeps a draft over a reload, and removes it once it is sent", async () => {
    const { page, field, sent } = await openComposer();
    await field.pressSequentially("Ask @gra");
    await page.getByRole("option", { name: /Grace/ }).click();
    await page.reload();
    await field.getByText("Ask @Grace Hopper").waitFor();
    await field.click();
    await page.keyboard.press("Control+Enter");
    await expect.poll(sent).toMatchObject([{ mentions: [{ userId: "grace", text: "@Grace Hopper" }] }]);
    expect(await page.evaluate("localStorage.length")).toBe(0);
    await page.reload();
    await page.waitForLoadState("networkidle");
    expect((await field.innerText()).trim()).toBe("");
  });

  test("shows the comment again if it could not be sent, and undoes what was typed", async () => {
    const { page, field, sent } = await openComposer();
    await field.pressSequentially("rejected");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("It fails.").waitFor();
    expect((await field.innerText()).trim()).toBe("rejected");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("accepted");
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await field.innerText()).trim()).not.toBe("accepted");
    await page.keyboard.press("Control+y");
    await expect.poll(async () => (await field.innerText()).trim()).toBe("accepted");
    await page.keyboard.press("Control+Enter");
    await expect.poll(sent).toMatchObject([{ text: "accepted" }]);
  });

  test("keeps what was written while a comment was sent, also over a reload, if that fails", async () => {
    const { page, field, sent } = await openComposer();
    await field.pressSequentially("rejected and held @gra");
    await page.getByRole("option", { name: /Grace/ }).click();
    await page
      .locator("input[type=file]")
      .setInputFiles([{ name: "first.txt", mimeType: "text/plain", buffer: Buffer.from("bytes") }]);
    await field.click();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Respond" }).waitFor();
    expect((await field.innerText()).trim()).toBe("");
    await field.pressSequentially("And another one");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Respond" }).click();
    await page.getByRole("alert").getByText("It fails.").waitFor();
    const expected = "rejected and held @Grace Hopper\nAnd another one";
    const read = async () => (await field.innerText()).replaceAll("\u00a0", " ").replaceAll(/ *\n+/g, "\n").trim();
    expect(await read()).toBe(expected);
    await page.getByText("first.txt").waitFor();
    await page.reload();
    await expect.poll(read).toBe(expected);
    await field.click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+Home");
    for (let count = 0; count < 18; count += 1) await page.keyboard.press("Delete");
    await page.keyboard.press("Control+Enter");
    await expect
      .poll(sent)
      .toMatchObject([{ text: "@Grace Hopper\nAnd another one", mentions: [{ userId: "grace" }] }]);
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });

  test("forgets what was written, and what is being sent, when another user signs in", async () => {
    const { page, field, sent } = await openComposer();
    await field.pressSequentially("rejected and held");
    await page.keyboard.press("Control+Enter");
    await field.pressSequentially("A secret");
    await expect.poll(() => page.evaluate("localStorage.length")).toBe(1);
    await page.getByRole("button", { name: "Sign out" }).click();
    expect((await field.innerText()).trim()).toBe("");
    await page.getByRole("button", { name: "Respond" }).click();
    await expect.poll(() => page.locator("form").getAttribute("aria-busy")).toBe("false");
    expect((await field.innerText()).trim()).toBe("");
    expect(await page.evaluate("localStorage.length")).toBe(0);
    expect(await sent()).toEqual([]);
  });

  test("cleans what is pasted from other programs", async () => {
    const { page, field, sent, problems } = await openComposer();
    await field.click();
    const html =
      '<html><head><style>p{color:red}</style></head><body><!--StartFragment--><p class="MsoNormal" style="margin:0">' +
      '<b>Dear</b> <span style="font-style:italic">all</span><o:p></o:p></p><img src=x onerror="window.hit = 1">' +
      '<a href="javascript:window.hit = 1">here</a><!--EndFragment--></body></html>';
    await paste(page, { "text/html": html, "text/plain": "Dear all" }, { name: "copy.png", type: "image/png" });
    await field.getByText("here").waitFor();
    await page.keyboard.press("Control+Enter");
    const expected = "<p><strong>Dear</strong> <em>all</em></p><p>here</p>";
    await expect.poll(sent).toMatchObject([{ html: expected, attachments: [] }]);
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test("attaches files that are chosen, pasted or dropped, and cancels and repeats uploads", async () => {
    const { page, field, sent } = await openComposer();
    const files = page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
    const buffer = Buffer.from("bytes");
    await page.locator("input[type=file]").setInputFiles([
      { name: "fails.txt", mimeType: "text/plain", buffer },
      { name: "slow.txt", mimeType: "text/plain", buffer },
    ]);
    expect(await files.nth(1).getByRole("progressbar").getAttribute("value")).toBe("0.6");
    await field.click();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Remove slow.txt" }).click();
    await files.first().getByRole("button", { name: "Try again" }).click();
    await files.first().getByText("Upload failed", { exact: true }).waitFor();
    await field.click();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Remove fails.txt" }).click();
    await field.click();
    await paste(page, {}, { name: "pasted.png", type: "image/png" });
    await files.getByText("pasted.png").waitFor();
    expect(await files.locator("img").count()).toBe(1);
    const data = await page.evaluateHandle(`{
      const transfer = new DataTransfer();
      transfer.items.add(new File(["bytes"], "dropped.pdf", { type: "application/pdf" }));
      transfer;
    }`);
    await page.locator("form").dispatchEvent("dragover", { dataTransfer: data });
    await page.getByText("Drop files").waitFor();
    await page.locator("form").dispatchEvent("drop", { dataTransfer: data });
    await files.getByText("dropped.pdf").waitFor();
    expect(await sent()).toEqual([]);
    await page.getByRole("button", { name: "Send" }).click();
    await expect
      .poll(sent)
      .toMatchObject([{ text: "", attachments: [{ name: "pasted.png" }, { name: "dropped.pdf", size: 5 }] }]);
    expect(await files.count()).toBe(0);
  });

  test("composes with an input method, whose Enter neither sends nor chooses", async () => {
    const { page, field, sent } = await openComposer();
    await field.click();
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
    await page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
        { key: "Enter", ctrlKey: true, isComposing: true, bubbles: true, cancelable: true }))`,
    );
    expect(await sent()).toEqual([]);
    await devTools.send("Input.insertText", { text: "日本" });
    await page.keyboard.type("!");
    await page.keyboard.press("Control+Enter");
    await expect.poll(sent).toMatchObject([{ text: "日本!" }]);
  });

  test("inserts an emoji that is found by its name", async () => {
    const { page, address, field, sent } = await openComposer();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).host));
    await field.pressSequentially("Well done ");
    await page.getByRole("button", { name: "Add emoji" }).click();
    await page.locator(".colloquy-input").fill("party popper");
    await page.getByRole("gridcell", { name: "party popper" }).waitFor();
    await page.keyboard.press("Enter");
    await field.getByText("🎉").waitFor();
    await page.keyboard.press("Control+Enter");
    await expect.poll(sent).toMatchObject([{ text: "Well done 🎉" }]);
    expect(requests.filter((host) => !address.includes(host))).toEqual([]);
  });

  test.each(["disabled", "composer-read-only"])("takes no text in the state %s", async (state) => {
    const { page, field } = await openComposer(state);
    expect(await field.getAttribute("contenteditable")).toBe("false");
    expect(await page.getByRole("button").count()).toBe(0);
  });
});

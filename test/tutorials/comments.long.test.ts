import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { expectClosedElsewhere } from "../other-organization.ts";
import { commentOn, commentTogether, countOverlaps, expectHighlighted } from "./comment-together.ts";
import { followInWorkspace, openAndWatch, TUTORIAL_TIMEOUT_MS } from "./follow.ts";

describeInBrowser("the tutorials of comments on a text", testTutorials, TUTORIAL_TIMEOUT_MS);

function testTutorials(): void {
  test("comments on the text of Lexical stay with their words for both users", async () => {
    const followed = await followInWorkspace("comments-in-lexical");
    await commentTogether(followed, "Payment is due within thirty days.");
    await expectClosedElsewhere(followed.address, followed.credentials);
  });

  test("comments on the text of CodeMirror stay with their words for both users", async () => {
    const followed = await followInWorkspace("comments-in-codemirror");
    await commentTogether(followed);
    await expectClosedElsewhere(followed.address, followed.credentials);
  });

  test("comments on the words and the picture of a page are shown there to both users", async () => {
    const { address, credentials } = await followInWorkspace("comments-on-a-page");
    const opened = [await openAndWatch(`${address}/?user=ada`), await openAndWatch(`${address}/?user=grace`)] as const;
    const [ada, grace] = [opened[0].page, opened[1].page];
    await commentOn(grace, "ten days", "Why ten?");
    await commentOn(ada, "thirty days", "Why thirty?");
    await expectHighlighted([ada, grace], ["thirty days", "ten days"]);
    await ada.getByRole("img").dblclick({ position: { x: 60, y: 30 } });
    await ada.getByRole("textbox", { name: "Comment", exact: true }).fill("Whose house is this?");
    await ada.keyboard.press("Control+Enter");
    const pins = [ada, grace].map((page) => page.getByRole("button", { name: "Comment 3 by Ada Lovelace" }));
    for (const pin of pins) await pin.waitFor();
    const getLeft = async (index: number) => Math.round((await pins[index]?.boundingBox())?.x ?? 0);
    const before = await getLeft(1);
    await pins[0]?.press("ArrowRight");
    await expect.poll(() => getLeft(1)).toBe(before + 8);
    await pins[1]?.press("ArrowRight");
    expect(await getLeft(1)).toBe(before + 8);
    await pins[1]?.click();
    await grace.getByRole("article").getByText("Whose house is this?").waitFor();
    for (const page of [ada, grace]) await expect.poll(() => countOverlaps(page)).toBe(0);
    await grace.evaluate("document.querySelector('h1').after('More terms. ')");
    await grace.evaluate("document.querySelector('main').innerHTML += ''");
    await ada.reload();
    await expectHighlighted([ada, grace], ["thirty days", "ten days"]);
    expect(opened.flatMap(({ problems }) => problems)).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });
}

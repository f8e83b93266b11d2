import type { Page } from "playwright-core";
import { expect } from "vitest";
import { add, select } from "./editor-users.ts";

/** Shows a card of this height for each thread of a user, in a column that begins above the editor. */
export async function showCards(page: Page, user: string, height: number): Promise<void> {
  await page.evaluate(`(() => {
    const { comments } = users["${user}"];
    const column = document.createElement("aside");
    column.className = "cards";
    column.style.cssText = "position: absolute; top: 0; right: 0; width: 200px";
    for (const { thread } of comments.getState().threads) {
      const card = document.createElement("div");
      card.dataset.annotationId = thread.annotationId;
      card.style.height = "${height}px";
      column.append(card);
    }
    document.body.append(column);
    document.body.style.paddingTop = "300px";
    placeCards(column, comments);
  })()`);
}

/** Returns by how many pixels each card is below its text. */
function getOffsets(page: Page, user: string): Promise<number[]> {
  return page.evaluate(`[...document.querySelector(".cards").children].map((card) => {
    return card.getBoundingClientRect().top - users["${user}"].comments.getRect(card.dataset.annotationId).top;
  })`);
}

/** Returns how many cards begin before the one above them has ended. */
function countOverlaps(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const boxes = [...document.querySelector(".cards").children].map((card) => card.getBoundingClientRect());
    return boxes.filter(({ top }, index) => index > 0 && top < boxes[index - 1].bottom).length;
  })()`);
}

/** Opens a card, edits the text and lets a card grow: cards are at the height of their text, and never overlap. */
export async function keepCardsApart(page: Page): Promise<void> {
  for (const word of ["Terms", "Payment", "thirty", "Delivery"]) {
    await select(page, "ada", word);
    await add(page, "ada", word);
  }
  await page.evaluate("users.ada.comments.open(undefined)");
  await showCards(page, "ada", 40);
  const [terms = 0, payment = 0] = await getOffsets(page, "ada");
  expect(Math.abs(terms)).toBeLessThan(2);
  expect(payment).toBeGreaterThan(2);
  await page.evaluate('users.ada.comments.open("thread-Delivery")');
  await expect.poll(async () => Math.abs((await getOffsets(page, "ada"))[3] ?? 100)).toBeLessThan(2);
  expect(await countOverlaps(page)).toBe(0);
  await select(page, "ada", "Terms", 0);
  for (let count = 0; count < 9; count += 1) await page.keyboard.press("Enter");
  await expect.poll(async () => Math.abs((await getOffsets(page, "ada"))[0] ?? 100)).toBeLessThan(2);
  await page.evaluate("document.querySelector('.cards').firstElementChild.style.height = '90px'");
  await expect.poll(() => countOverlaps(page)).toBe(0);
}

import type { Page } from "playwright-core";

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
export function getOffsets(page: Page, user: string): Promise<number[]> {
  return page.evaluate(`[...document.querySelector(".cards").children].map((card) => {
    return card.getBoundingClientRect().top - users["${user}"].comments.getRect(card.dataset.annotationId).top;
  })`);
}

/** Returns how many cards begin before the one above them has ended. */
export function countOverlaps(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const boxes = [...document.querySelector(".cards").children].map((card) => card.getBoundingClientRect());
    return boxes.filter(({ top }, index) => index > 0 && top < boxes[index - 1].bottom).length;
  })()`);
}

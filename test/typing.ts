import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Types key by key, each once the one before is shown: keys may be lost when the caret of another user is redrawn.
 * `readText` returns nothing that was there before and begins like the text.
 */
export async function typeBesideCaret(page: Page, text: string, readText: () => Promise<string>): Promise<void> {
  let typed = "";
  for (const key of text) {
    await page.keyboard.type(key);
    typed += key;
    await expect.poll(readText).toContain(typed);
  }
}

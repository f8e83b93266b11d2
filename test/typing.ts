import type { Page } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";

/**
 * Types key by key, each once the one before is shown, and again if it was lost. Two runs of the whole suite have lost
 * the first key; about 1,300 tries beside a caret that moved all the time lost none. `readText` returns nothing that
 * was there before and begins like the text.
 */
export async function typeBesideCaret(page: Page, text: string, readText: () => Promise<string>): Promise<void> {
  let typed = "";
  for (const key of text) {
    typed += key;
    await eventually(async () => {
      await page.keyboard.type(key);
      await expect.poll(readText, { timeout: 3_000 }).toContain(typed);
    });
  }
}

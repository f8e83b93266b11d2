import { expect, test } from "vitest";
import { findQuote, SearchEffort } from "./find-quote.ts";
import { buildQuote, MAX_QUOTE_LENGTH, shortenQuote } from "./quote.ts";

/** Quotes a passage of a text, by its `occurrence` from 0. */
function quote(text: string, passage: string, occurrence = 0) {
  let start = text.indexOf(passage);
  for (let passed = 0; passed < occurrence; passed++) start = text.indexOf(passage, start + 1);
  return buildQuote(text, start, start + passage.length);
}

/** Returns the found passage in brackets with 8 UTF-16 units on both sides. */
function show(text: string, given: ReturnType<typeof quote>, near?: number): string | undefined {
  const found = findQuote(text, given, near);
  if (!found) return undefined;
  const [before, after] = [text.slice(Math.max(0, found.start - 8), found.start), text.slice(found.end, found.end + 8)];
  return `${before}[${text.slice(found.start, found.end)}]${after}`;
}

const CONTRACT = "Payment is due within thirty days of the invoice. Interest is due after sixty days of delay.";

test("a quote is found where it is, with all of its context", () => {
  expect(findQuote(CONTRACT, quote(CONTRACT, "thirty days"))).toEqual({ start: 22, end: 33, isExact: true });
});

test("a passage that has moved is found, and is the same one as long as some of its context is there", () => {
  const text = "Interest is due after sixty days of delay. Payment is due within thirty days of the invoice.";
  expect(show(text, quote(CONTRACT, "due within thirty days"))).toBe("ment is [due within thirty days] of the ");
  expect(findQuote(text, quote(CONTRACT, "sixty days"))?.isExact).toBe(true);
  expect(findQuote("Copied: due within thirty days!", quote(CONTRACT, "due within thirty days"))?.isExact).toBe(false);
});

test("a repeated word is found by its context, wherever it was before", () => {
  const text = `Notes of today. ${CONTRACT}`;
  expect(show(text, quote(CONTRACT, "due", 0), 60)).toBe("ment is [due] within ");
  expect(show(text, quote(CONTRACT, "due", 1), 0)).toBe("rest is [due] after s");
});

test("among equal passages, the one nearest to the old place is found", () => {
  const text = "the cat sat on the mat today. ".repeat(20);
  const given = quote(text, "the mat today", 9);
  expect(findQuote(text, given, 9 * 30 + 15)?.start).toBe(9 * 30 + 15);
  expect(findQuote(text, given, 15 * 30 + 14)?.start).toBe(15 * 30 + 15);
});

test("a passage is found with changed words, but not as exact", () => {
  const text = CONTRACT.replace("thirty", "sixty");
  expect(show(text, quote(CONTRACT, "within thirty days"))).toBe(" is due [within sixty days] of the ");
  expect(findQuote(text, quote(CONTRACT, "within thirty days"))?.isExact).toBe(false);
});

test.each([
  [
    "a short word that occurs elsewhere",
    "The fee is paid monthly by the tenant.",
    "fee",
    "No fee was ever mentioned here.",
  ],
  ["a common word", "We sign in the morning.", "the", "Nothing of the old text is left in the new one."],
  ["a part of a word", "It is an art of its own kind.", "art", "They joined the party of the artists."],
  ["a word within a longer one", "Our agreement ends.", "agreement", "In disagreement, everything is open to debate."],
  ["white space", "one\n\n\ntwo", "\n\n\n", "three\n\n\nfour"],
  ["punctuation", "Is it so? Yes!", "?", "Another question? No."],
  ["words that are merely similar", CONTRACT, "thirty days", "Tired eyes of the invoice clerk dazed him daily."],
  ["a letter of a combined character", "cafe\u0301 au lait, and an e", "e", "re\u0301sume\u0301"],
  ["nothing", CONTRACT, "", CONTRACT],
])("%s is not taken for the passage", (_title, before, passage, after) => {
  const start = passage === "" ? 5 : before.lastIndexOf(passage);
  expect(findQuote(after, buildQuote(before, start, start + passage.length))).toBeUndefined();
});

test("a short passage comes back with its context, also at the ends of the text", () => {
  expect(show("Fee: 5", quote("Fee: 5", "5"))).toBe("Fee: [5]");
  expect(show("I", quote("I", "I"))).toBe("[I]");
  expect(show("We pay a fee each month.", quote("We pay a fee each month.", "fee"))).toBe("e pay a [fee] each mo");
});

test("a quote without context is found only if it is unique", () => {
  expect(findQuote(CONTRACT, { exact: "thirty days" })?.start).toBe(22);
  expect(findQuote(CONTRACT, { exact: "is due" })).toBeUndefined();
});

test("emoji, scripts from right to left and combining marks are found whole", () => {
  const emoji = "Danke 👩‍👩‍👧‍👦 für alles 👍🏽 und mehr";
  expect(show(`Neu. ${emoji}`, quote(emoji, "👍🏽"))).toBe("r alles [👍🏽] und meh");
  const arabic = "الدفع مستحق خلال ثلاثين يوما من الفاتورة";
  expect(show(`مقدمة. ${arabic}`, quote(arabic, "ثلاثين يوما"))).toContain("[ثلاثين يوما]");
  const hebrew = "שָׁלוֹם לְכֻלָּם וּבְרָכָה";
  expect(show(`א. ${hebrew}`, quote(hebrew, "לְכֻלָּם"))).toContain("[לְכֻלָּם]");
  const japanese = "支払いは三十日以内に行う。";
  expect(show(`第一条 ${japanese}`, quote(japanese, "三十日以内"))).toContain("[三十日以内]");
});

test("a changed passage never begins or ends within a character", () => {
  const before = "It was signed by José 👍🏽 in the morning hours";
  const after = "It was signed by Jose\u0301 👍🏿 in the morning hours";
  const found = findQuote(after, quote(before, "signed by José 👍🏽"));
  expect(found && after.slice(found.start, found.end)).toBe("signed by Jose\u0301 👍🏿");
});

test("quotes cut no surrogate pair", () => {
  const text = "😀".repeat(1_500);
  const { exact, prefix, suffix } = buildQuote(text, 34, 36);
  expect([exact, prefix, suffix].every((part) => part.isWellFormed())).toBe(true);
  expect([buildQuote(`a${text}`, 35, 37).prefix, shortenQuote(text)].every((part) => part.isWellFormed())).toBe(true);
});

test("a long passage is quoted by its beginning and end, and found by them", () => {
  const words = Array.from({ length: 900 }, (_, index) => `word${index * 7919}`).join(" ");
  const text = `Before. ${words} After.`;
  const given = quote(text, words);
  expect(given.exact.length).toBeLessThanOrEqual(MAX_QUOTE_LENGTH);
  expect(findQuote(`New. ${text}`, given)).toEqual({ start: 13, end: 13 + words.length, isExact: true });
  const changed = text.replace("word7919 ", "other ").replaceAll("word79190 ", "");
  const found = findQuote(changed, given);
  expect(found && changed.slice(found.start, found.end).length).toBeGreaterThan(words.length - 40);
});

test("passages that have changed are no longer searched once the effort for many quotes is spent", () => {
  const changed = CONTRACT.replace("thirty", "forty");
  const effort = new SearchEffort(1.5 * changed.length);
  const [given, unchanged] = [quote(CONTRACT, "within thirty days"), quote(CONTRACT, "after sixty days")];
  expect(findQuote(changed, given, 0, effort)).toBeDefined();
  expect(findQuote(changed, given, 0, effort)).toBeUndefined();
  expect(findQuote(changed, unchanged, 0, effort)).toBeDefined();
  expect(findQuote(changed, unchanged, 0, new SearchEffort(0))).toBeUndefined();
});

test.each([0, 500, 70_000, 99_999, 200_000])("a passage is found before and after its old place, %d", (near) => {
  const filler = Array.from({ length: 10_000 }, (_, index) => `${index * 7919} `).join("");
  const text = `${filler}the only passage of its kind, ${filler}`;
  const given = buildQuote(text, filler.length, filler.length + 28);
  expect(findQuote(text, given, near)?.start).toBe(filler.length);
});

test("a hostile quote, which is similar to every passage, only spends the effort for changed passages", () => {
  const text = `${"a".repeat(100_000)}, and an honest passage`;
  const effort = new SearchEffort(100_000_000);
  const hostile = { exact: `${"a".repeat(60)}b${"a".repeat(30)}` };
  expect(findQuote(text, hostile, 0, effort)).toMatchObject({ start: 0 });
  expect(effort.spend("changed", text.length)).toBe(false);
  expect(findQuote(text, { exact: "an honest passage" }, 0, effort)).toMatchObject({ start: 100_006 });
});

test("a long passage that has changed spends more of the effort than a short one", () => {
  const text = `${CONTRACT.repeat(3)}`;
  const effort = new SearchEffort(2 * text.length);
  findQuote(text, { exact: "a passage of more than a line, which is nowhere" }, 0, effort);
  expect(effort.spend("changed", 1)).toBe(false);
});

test("each occurrence that is compared spends effort, so that quotes of what is everywhere do not add up", () => {
  const text = "word ".repeat(1_000);
  const effort = new SearchEffort(100 * 30);
  expect(findQuote(text, { exact: "word word word word" }, 0, effort)).toBeDefined();
  expect(effort.spend("exact", 1)).toBe(false);
});

test.each([16_300, 16_384, 16_400, 40_000])("a changed passage is found across windows, at %d", (place) => {
  const filler = Array.from({ length: 20_000 }, (_, index) => `${index * 7919} `).join("");
  const passage = "the only passage of its kind in this text";
  const text = `${filler.slice(0, place)}${passage.replace("kind", "sort")}${filler.slice(place)}`;
  const found = findQuote(text, { exact: passage }, 0);
  expect(found).toEqual({ start: place, end: place + passage.length, isExact: false });
});

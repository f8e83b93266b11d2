import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { LanguageTexts, Texts } from "../../packages/react/src/language-texts.ts";
import { arabic } from "../../packages/react/src/texts/ar.ts";
import { german } from "../../packages/react/src/texts/de.ts";
import { english } from "../../packages/react/src/texts/en.ts";
import { spanish } from "../../packages/react/src/texts/es.ts";
import { french } from "../../packages/react/src/texts/fr.ts";
import { japanese } from "../../packages/react/src/texts/ja.ts";
import { MESSAGES } from "../../src/features/comments/triggers/messages.ts";

const TRANSLATIONS: LanguageTexts[] = [german, spanish, french, japanese, arabic];
const LANGUAGES = [english, ...TRANSLATIONS];
const NOW = new Date("2026-11-29T12:00:00Z");

/** Values of the texts that have placeholders. */
type Values = {
  [Key in keyof Texts as Texts[Key] extends (...values: never) => string ? Key : never]: Texts[Key] extends (
    ...values: infer Each
  ) => string
    ? Each
    : never;
};

const VALUES: Omit<Values, "error" | "list" | "time" | "clock" | "day" | "dateTime" | "fileSize"> = {
  away: ["Ada"],
  moreUsers: [21],
  unread: [21],
  actionOf: ["Archive", "Ada mentioned you"],
  earlier: [21],
  inboxWith: [21],
  moreLike: [21],
  sameAsAll: ["all"],
  pinOf: [21, "Ada"],
  threadCount: [21],
  replies: [21],
  threadOf: ["Ada"],
  memberCount: [21],
  removeFile: ["plan.pdf"],
  uploading: ["plan.pdf"],
  moreComments: [21],
  commentActions: ["Ada"],
  reactedWith: ["Ada", "👍"],
  confirmRestore: ["Signed"],
};

function getPlaceholders(template: string): string[] {
  return [...template.matchAll(/\{+(\w+)\}+/g)].map(([placeholder]) => placeholder).sort();
}

test("each language of the package is checked here, and named as its file", () => {
  const files = globSync(join(import.meta.dirname, "../../packages/react/src/texts/*.ts"));
  expect(LANGUAGES.map(({ language }) => language).sort()).toEqual(files.map((file) => basename(file, ".ts")).sort());
});

test.each(TRANSLATIONS)("the messages in $language have the keys and placeholders of the service", ({ messages }) => {
  const toPlaceholders = (templates: object) =>
    Object.fromEntries(Object.entries(templates).map(([key, template]) => [key, getPlaceholders(template)]));
  expect(toPlaceholders(messages)).toEqual(toPlaceholders({ ...MESSAGES, ...english.messages }));
});

/** Returns the texts of a language with their values, by their keys. */
function readTexts(texts: Texts): Map<string, unknown> {
  const filled = Object.entries(VALUES).map(([key, values]) => {
    return [key, Reflect.apply(Reflect.get(texts, key), undefined, values)] as const;
  });
  const { messages, direction, ...others } = texts;
  return new Map<string, unknown>([...Object.entries(others), ...filled]);
}

test.each(LANGUAGES)("the texts in $language contain their values", (texts) => {
  const filled = readTexts(texts);
  for (const [key, values] of Object.entries(VALUES)) {
    for (const value of values) expect(filled.get(key), key).toContain(String(value));
  }
});

test.each(TRANSLATIONS)("no text in $language is empty or left in English", (texts) => {
  const originals = new Map([...readTexts(english), ...Object.entries(MESSAGES)]);
  const translated = [...readTexts(texts), ...Object.entries(texts.messages)];
  const left = translated.filter(([key, text]) => text === "" || text === originals.get(key));
  expect(left.map(([key]) => `${texts.language} ${key}`).filter((key) => !SHARED_WORDS.includes(key))).toEqual([]);
});

/** Texts that are the same in English. */
const SHARED_WORDS = [
  "fr notifications",
  "fr tabMentions",
  "de actionOf",
  "es actionOf",
  "ar actionOf",
  "de code",
  "de link",
  "fr code",
  "de filter",
  "de status",
  "fr document",
];

test("numbers take the plural form of the language", () => {
  const count = (texts: Texts) => [0, 1, 2, 3, 11, 100, 1234].map(texts.moreUsers);
  expect(count(german)).toEqual([
    ...["0 weitere Personen", "1 weitere Person", "2 weitere Personen"],
    ...["3 weitere Personen", "11 weitere Personen", "100 weitere Personen", "1.234 weitere Personen"],
  ]);
  expect(count(french).slice(0, 3)).toEqual(["0 autre personne", "1 autre personne", "2 autres personnes"]);
  expect(new Set(count(arabic).map((text: string) => text.replace(/[\d,]+/, "#")))).toHaveLength(6);
});

test.each([
  [english, ["now", "5 min. ago", "3 hr. ago", "yesterday", "4 days ago", "Nov 1", "Jan 2, 2020"]],
  [german, ["jetzt", "vor 5 Min.", "vor 3 Std.", "gestern", "vor 4 Tagen", "1. Nov.", "2. Jan. 2020"]],
  [japanese, ["今", "5 分前", "3 時間前", "昨日", "4 日前", "11月1日", "2020年1月2日"]],
])("times in $language are relative to the present, and dates after a week", ({ time }, expected) => {
  const minutesAgo = [0, 5, 3 * 60, 24 * 60, 4 * 24 * 60].map((minutes) => new Date(NOW.getTime() - minutes * 60_000));
  const dates = [...minutesAgo, new Date("2026-11-01T12:00:00Z"), new Date("2020-01-02T12:00:00Z")];
  expect(dates.map((date) => time(date, NOW))).toEqual(expected);
  expect(time(new Date(NOW.getTime() + 3000), NOW)).toBe(expected[0]);
});

test.each([
  [english, ["Today", "Yesterday", "November 26", "January 2, 2020"]],
  [german, ["Heute", "Gestern", "26. November", "2. Januar 2020"]],
])("days in $language have names", ({ day }, expected) => {
  const now = new Date(2026, 10, 29, 0, 10);
  const days = [now, new Date(2026, 10, 28, 0, 5), new Date(2026, 10, 26, 23), new Date(2020, 0, 2)];
  expect(days.map((date) => day(date, now))).toEqual(expected);
});

test("lists, directions and errors are those of the language", () => {
  expect(LANGUAGES.map(({ list }) => list(["Ada", "Grace", "Alan"]))).toEqual([
    ...["Ada, Grace, and Alan", "Ada, Grace und Alan", "Ada, Grace y Alan"],
    ...["Ada, Grace et Alan", "Ada、Grace、Alan", "Ada وGrace وAlan"],
  ]);
  expect(LANGUAGES.filter(({ direction }) => direction === "rtl")).toEqual([arabic]);
  expect(german.error(Object.assign(new Error("Offline"), { status: "OFFLINE" }))).toBe("Keine Verbindung.");
  expect(german.error(new Error("It fails."))).toBe("Das hat nicht funktioniert.");
  expect(english.error(new Error("It fails."))).toBe("It fails.");
});

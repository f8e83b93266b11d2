import type { Texts } from "./language-texts.ts";

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
/** Age from which a time is shown as a date. */
const MAX_RELATIVE_S = 7 * DAY_S;

/** Units of the sizes of files, each a thousand of the one before. */
const SIZE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Returns the texts of a language that `Intl` knows: its direction, lists and times. */
export function describeLanguage(
  language: string,
  direction: Texts["direction"] = "ltr",
): Pick<Texts, "language" | "direction" | "list" | "time" | "clock" | "dateTime" | "day" | "fileSize"> {
  const getRelative = once(() => new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" }));
  const getList = once(() => new Intl.ListFormat(language));
  const formatDate = (date: Date, options: Intl.DateTimeFormatOptions) =>
    date.toLocaleDateString(findRegionalLocale(language), options);
  return {
    language,
    direction,
    list: (items) => getList().format(items),
    fileSize(bytes) {
      const place = Math.min(Math.max(Math.floor(Math.log10(bytes) / 3), 0), SIZE_UNITS.length - 1);
      const options = { style: "unit", unit: SIZE_UNITS[place], maximumFractionDigits: place > 1 ? 1 : 0 } as const;
      return (bytes / 1000 ** place).toLocaleString(language, options);
    },
    time(date, now = new Date()) {
      const ageS = Math.floor((now.getTime() - date.getTime()) / 1000);
      // The clock of the service may be ahead of that of the browser.
      if (ageS < MINUTE_S) return getRelative().format(0, "second");
      if (ageS < HOUR_S) return getRelative().format(-Math.floor(ageS / MINUTE_S), "minute");
      if (ageS < DAY_S) return getRelative().format(-Math.floor(ageS / HOUR_S), "hour");
      if (ageS < MAX_RELATIVE_S) return getRelative().format(-Math.floor(ageS / DAY_S), "day");
      const isThisYear = date.getFullYear() === now.getFullYear();
      return formatDate(date, { day: "numeric", month: "short", ...(!isThisYear && { year: "numeric" }) });
    },
    day(date, now = new Date()) {
      const days = Math.round((startOfDay(now) - startOfDay(date)) / 1000 / DAY_S);
      if (days < 2) return capitalize(getRelative().format(-Math.max(0, days), "day"), language);
      const isThisYear = date.getFullYear() === now.getFullYear();
      return formatDate(date, { day: "numeric", month: "long", ...(!isThisYear && { year: "numeric" }) });
    },
    clock: (date) => date.toLocaleTimeString(findRegionalLocale(language), { timeStyle: "short" }),
    dateTime: (date) => date.toLocaleString(findRegionalLocale(language), { dateStyle: "long", timeStyle: "short" }),
  };
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function capitalize(text: string, language: string): string {
  return text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1);
}

/** Returns the locale of the browser if it is a variant of a language, such as `de-AT`, or the language. */
function findRegionalLocale(language: string): string {
  const locales = globalThis.navigator?.languages ?? [];
  return locales.find((locale) => locale.split("-")[0] === language) ?? language;
}

/** Texts for the plural categories of a language. `#` is replaced by the number. */
type PluralForms<Category extends Intl.LDMLPluralRule> = Record<Category | "other", string>;

/** Returns a function that chooses the text for a number by the plural rules of a language. */
export function createPlural<Category extends Intl.LDMLPluralRule>(
  language: string,
): (count: number, forms: PluralForms<Category>) => string {
  const getRules = once(() => new Intl.PluralRules(language));
  const getNumber = once(() => new Intl.NumberFormat(language));
  return (count, forms) => {
    const category = getRules().select(count);
    const form = new Map<string, string>(Object.entries(forms)).get(category) ?? forms.other;
    return form.replace("#", getNumber().format(count));
  };
}

/** Texts of errors, by their status. `other` is the text of the others. */
interface ErrorTexts {
  OFFLINE: string;
  UNAVAILABLE: string;
  RESOURCE_EXHAUSTED: string;
  UNAUTHENTICATED: string;
  PERMISSION_DENIED: string;
  NOT_FOUND: string;
  other: string;
}

/** Returns a function that chooses the text of an error. */
export function createErrorText(texts: ErrorTexts): Texts["error"] {
  const byStatus = new Map<unknown, string>(Object.entries(texts));
  return (error) => byStatus.get("status" in error ? error.status : undefined) ?? texts.other;
}

/** Returns a function that creates a value when it is needed, and keeps it: objects of `Intl` take long to create. */
function once<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

import { LOCALE } from "./locale.ts";

const FORMAT = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "long" });

/** Returns a time to the second, in the time zone of the browser, which it names. */
export function exactTime(at: number | Date): string {
  return FORMAT.format(at);
}

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Returns a time to the second, in the language and time zone of the browser. */
export function exactTime(at: number | Date): string {
  return FORMAT.format(at);
}

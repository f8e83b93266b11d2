/** The end of a day such as `2026-12-24` where the browser is, in milliseconds; undefined where there is none. */
export function endOfDay(date: string): number | undefined {
  const [, year, month, day] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(day) + 1).getTime();
}

/** The day of a time where the browser is, as a date field wants it. */
export function toDateInput(timestamp: number): string {
  const date = new Date(timestamp);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

/** Returns the end of a day such as `2026-12-24` in the browser's time zone, in milliseconds; undefined if invalid. */
export function getEndOfDay(date: string): number | undefined {
  const [, year, month, day] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(day) + 1).getTime();
}

/** Returns the day of a time in the browser's time zone, in the format of a date input. */
export function toDateInput(timestamp: number): string {
  const date = new Date(timestamp);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

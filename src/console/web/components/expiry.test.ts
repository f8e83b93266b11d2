import { expect, test } from "vitest";
import { getEndOfDay, toDateInput } from "./expiry.ts";

test.each(["2026-01-31", "2026-02-28", "2028-02-29", "2026-12-31"])(
  "the end of %s is the start of the next day",
  (date) => {
    const end = getEndOfDay(date);
    if (end === undefined) throw new Error("the date is invalid");
    expect(toDateInput(end - 1)).toBe(date);
    expect(toDateInput(end)).not.toBe(date);
  },
);

test.each(["", "tomorrow", "2026-1-2"])("%j is not a date", (text) => {
  expect(getEndOfDay(text)).toBeUndefined();
});

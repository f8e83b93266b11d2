import type { ResponseData } from "../../api/call.ts";
import { LOCALE } from "../../components/locale.ts";

/** Response of /v2/workspace/overview/get. */
export type Overview = ResponseData<"/v2/workspace/overview/get">;
type ActivityDay = Overview["activitiesPerDay"][number];
export type Setup = Overview["setup"];

/** Time that a bar of the chart stands for. */
export type Unit = "hour" | "day" | "month";

/** A bar of the chart: the activities of an hour, a day or a month. */
export interface Bar {
  label: string;
  /** Milliseconds since the epoch. */
  startsAt: number;
  /** Undefined for the last bar, which has no end yet. */
  endsAt: number | undefined;
  total: number;
  featureTypes: ActivityDay["featureTypes"];
}

const MAX_DAYS_BY_HOUR = 2;
const MAX_DAYS_BY_DAY = 90;
const MAX_TICKS = 4;
const HOUR_MS = 60 * 60 * 1000;
const MONTHS_BY_DAYS = new Map([
  [365, 12],
  [1826, 60],
  [3653, 120],
]);
/** Maximum number of labels below the chart, and the width that each needs. */
const MAX_LABELS = 7;
const LABEL_PX = 72;
/** Numbers of hours or months after which a label reads well. */
const EVEN_STEPS = [1, 2, 3, 4, 6, 12, 24, 36, 60];
const HOUR = new Intl.DateTimeFormat(LOCALE, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});
// The API gives the dates of the days, which have no time zone.
const DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: "short", year: "numeric", timeZone: "UTC" });

/** Returns how many days to ask for: those of whole months if the chart is by month. */
export function daysToCount(period: number, now: Date): number {
  const months = MONTHS_BY_DAYS.get(period);
  if (months === undefined) return period;
  const [year, month] = [now.getFullYear(), now.getMonth()];
  return (Date.UTC(year, month, now.getDate()) - Date.UTC(year, month - months + 1, 1)) / (24 * HOUR_MS) + 1;
}

/** Returns the starts of the hours after one, until the day ends in the browser's time zone. */
export function getRestOfDay(lastHour: number): number[] {
  const end = new Date(lastHour).setHours(24, 0, 0, 0);
  const count = Math.max(Math.ceil((end - lastHour) / HOUR_MS) - 1, 0);
  return Array.from({ length: count }, (_, index) => lastHour + (index + 1) * HOUR_MS);
}

/** Returns every how many bars there is room for a label below them. */
export function labelStep(unit: Unit, count: number, widthPx: number): number {
  const labels = Math.max(Math.min(Math.floor(widthPx / LABEL_PX), MAX_LABELS), 1);
  const step = Math.ceil(count / labels);
  return unit === "day" ? step : (EVEN_STEPS.find((even) => even >= step) ?? step);
}

/** Returns the unit of the bars for so many days. */
export function getUnit(days: number): Unit {
  if (days <= MAX_DAYS_BY_HOUR) return "hour";
  return days <= MAX_DAYS_BY_DAY ? "day" : "month";
}

/** Returns the bars of the chart, oldest first. */
export function toBars({ activitiesPerDay: days, activitiesPerHour }: Pick<Overview, ActivityLists>): Bar[] {
  if (activitiesPerHour) {
    return withEnds(activitiesPerHour.map((hour) => ({ ...hour, label: HOUR.format(hour.startsAt) })));
  }
  if (getUnit(days.length) === "day") {
    return withEnds(days.map(({ day, ...counted }) => ({ ...counted, label: DAY.format(new Date(day)) })));
  }
  const months = Map.groupBy(days, ({ day }) => day.slice(0, "YYYY-MM".length));
  return withEnds(
    [...months].map(([month, monthBars]) => ({
      label: MONTH.format(new Date(month)),
      startsAt: monthBars[0]?.startsAt ?? 0,
      total: monthBars.reduce((sum, { total }) => sum + total, 0),
      featureTypes: getSum(monthBars),
    })),
  );
}

type ActivityLists = "activitiesPerDay" | "activitiesPerHour";

function withEnds(bars: Omit<Bar, "endsAt">[]): Bar[] {
  return bars.map((bar, index) => ({ ...bar, endsAt: bars[index + 1]?.startsAt }));
}

function getSum(days: ActivityDay[]): ActivityDay["featureTypes"] {
  const sums: ActivityDay["featureTypes"] = {};
  for (const { featureTypes } of days) {
    for (const [feature, count] of Object.entries(featureTypes)) sums[feature] = (sums[feature] ?? 0) + count;
  }
  return sums;
}

/** Returns the values of an axis from zero to at least the highest, in steps of 1, 2 or 5 times a power of ten. */
export function ticksUpTo(highest: number): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(highest / MAX_TICKS, 1)));
  const step = magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude * MAX_TICKS >= highest) ?? 10);
  return Array.from({ length: Math.max(Math.ceil(highest / step), 1) + 1 }, (_, index) => index * step);
}

/** Returns the change from one count to another, such as `+20%`, with a minus sign; undefined from zero. */
export function getChange(from: number, to: number): string | undefined {
  if (from === 0) return undefined;
  return PERCENT.format((to - from) / from).replace("-", "−");
}

const PERCENT = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});

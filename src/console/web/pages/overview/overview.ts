import type { ResponseData } from "../../api/call.ts";

/** Response of /v2/workspace/overview/get. */
export type Overview = ResponseData<"/v2/workspace/overview/get">;
export type ActivityDay = Overview["activitiesPerDay"][number];
export type Setup = Overview["setup"];

/** A bar of the chart: the activities of a day or a month. */
export interface Bar {
  /** YYYY-MM-DD or YYYY-MM, in UTC. */
  time: string;
  label: string;
  total: number;
  featureTypes: ActivityDay["featureTypes"];
}

const MAX_DAYS_BY_DAY = 90;
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" });

/** Returns whether so many days are shown by month, because their bars would be too thin. */
export function isShownByMonth(days: number): boolean {
  return days > MAX_DAYS_BY_DAY;
}

/** Returns the bars of the chart, oldest first. */
export function toBars(days: ActivityDay[]): Bar[] {
  if (!isShownByMonth(days.length)) {
    return days.map(({ day, ...counts }) => ({ time: day, label: DAY.format(new Date(day)), ...counts }));
  }
  const months = Map.groupBy(days, ({ day }) => day.slice(0, "YYYY-MM".length));
  return [...months].map(([time, ofMonth]) => ({
    time,
    label: MONTH.format(new Date(time)),
    total: ofMonth.reduce((sum, { total }) => sum + total, 0),
    featureTypes: sumOf(ofMonth),
  }));
}

function sumOf(days: ActivityDay[]): ActivityDay["featureTypes"] {
  const sums: ActivityDay["featureTypes"] = {};
  for (const { featureTypes } of days) {
    for (const [feature, count] of Object.entries(featureTypes)) sums[feature] = (sums[feature] ?? 0) + count;
  }
  return sums;
}

import { LOCALE } from "./locale.ts";

const MINUTE_MS = 60_000;

/** Returns a time as the value of an input of type `datetime-local`: `2026-11-24T09:30` in the browser's time zone. */
export function toTimeInput(time: number): string {
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * MINUTE_MS);
  return shifted.toISOString().slice(0, "YYYY-MM-DDTHH:MM".length);
}

/** Returns a time as a URL parameter, `2026-11-24T09:30+01:00`, which means the same in every time zone. */
export function toTimeParameter(time: number): string {
  const offset = -new Date(time).getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const digits = [hours, minutes].map((part) => String(part).padStart(2, "0")).join(":");
  return `${toTimeInput(time)}${offset < 0 ? "-" : "+"}${digits}`;
}

/** Returns the time of such a value in milliseconds since the epoch, or undefined for another text. */
export function parseTime(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return time >= 0 ? time : undefined;
}

const ZONE = new Intl.DateTimeFormat(LOCALE, { timeZoneName: "short" });

/** Returns the name of the browser's time zone at a time, such as `GMT+1`. */
export function getZoneName(time = Date.now()): string {
  return ZONE.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

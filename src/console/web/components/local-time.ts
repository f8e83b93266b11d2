/** Returns a time as the value of an input of type `datetime-local`: `2026-11-24T09:30` in the browser's time zone. */
export function toTimeInput(time: number): string {
  const date = new Date(time);
  const shifted = new Date(time - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, "YYYY-MM-DDTHH:MM".length);
}

/** Returns the time of such a value in milliseconds since the epoch, or undefined for another text. */
export function fromTimeInput(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return time >= 0 ? time : undefined;
}

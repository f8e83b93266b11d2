const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

export type Unit = keyof typeof UNIT_SECONDS;
export const UNITS = Object.keys(UNIT_SECONDS).filter(isUnit);

/** A duration as it is entered: an amount in any notation that the user has typed, and its unit. */
export interface Duration {
  amount: string;
  unit: Unit;
}

export function isUnit(text: string): text is Unit {
  return Object.hasOwn(UNIT_SECONDS, text);
}

/** Returns a duration in the largest unit of which it is a whole multiple. */
export function toDuration(seconds: number): Duration {
  const unit = UNITS.findLast((name) => seconds >= UNIT_SECONDS[name] && seconds % UNIT_SECONDS[name] === 0);
  return { amount: String(seconds / UNIT_SECONDS[unit ?? "seconds"]), unit: unit ?? "seconds" };
}

/** Returns the seconds of a duration; NaN if its amount is not a number. */
export function toSeconds({ amount, unit }: Duration): number {
  return Number(amount.trim() || Number.NaN) * UNIT_SECONDS[unit];
}

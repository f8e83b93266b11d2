import { useEffect, useState } from "react";
import { exactTime } from "./exact-time.ts";
import { relativeTime } from "./relative-time.ts";

const TICK_MS = 30_000;

/** A time in milliseconds since the epoch, shown relative to now with the exact time as its tooltip. */
export function Time({ at, isRoundedUp = false }: { at: number; isRoundedUp?: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={date.toISOString()} title={exactTime(date)}>
      {relativeTime(at, now, isRoundedUp ? Math.ceil : Math.trunc)}
    </time>
  );
}

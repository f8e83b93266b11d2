import type { ReactElement } from "react";

interface NoticeProps {
  isEmpty: boolean;
  isLoading: boolean;
  error: unknown;
  /** Text for an empty list. */
  empty: string;
}

/** Shows why a list has no records. */
export function Notice({ isEmpty, isLoading, error, empty }: NoticeProps): ReactElement | null {
  if (error !== undefined) return <Failure error={error} />;
  return isEmpty ? <p>{isLoading ? "Loading…" : empty}</p> : null;
}

/** Shows an error, if there is one. */
export function Failure({ error }: { error: unknown }): ReactElement | null {
  if (error === undefined) return null;
  return <p role="alert">{error instanceof Error ? error.message : String(error)}</p>;
}

/** Shows a time, with its date unless it is today. */
export function Time({ at }: { at: number }): ReactElement {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = isToday
    ? date.toLocaleTimeString([], { timeStyle: "short" })
    : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return <time dateTime={date.toISOString()}>{text}</time>;
}

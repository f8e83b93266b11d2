import { CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { type KeyboardEvent, useRef, useState } from "react";
import { useUrlParameters } from "../url.ts";
import { getZoneName, parseTime, toTimeInput, toTimeParameter } from "./time-input.ts";

const HOUR_MS = 3_600_000;
const QUICK_RANGES = new Map([
  ["Last hour", HOUR_MS],
  ["Last 24 hours", 24 * HOUR_MS],
  ["Last 7 days", 7 * 24 * HOUR_MS],
  ["Last 30 days", 30 * 24 * HOUR_MS],
]);
const ANY = "Any";
const CUSTOM = "Custom";

/**
 * The filter by time: one of the last periods, which sets the start of the list, or a start and an end. They are shown
 * in the time zone of the browser and stored with their offset, so that a shared URL shows the same records everywhere.
 */
export function TimeFilters() {
  const { get, change } = useUrlParameters();
  const [from, to] = [get("from"), get("to")];
  const [isOpen, setIsOpen] = useState(false);
  const isCustom = isOpen || from !== undefined || to !== undefined;
  const isReversed = (parseTime(from) ?? 0) > (parseTime(to) ?? Number.POSITIVE_INFINITY);
  function choose(value: string): void {
    const periodMs = QUICK_RANGES.get(value);
    setIsOpen(value === CUSTOM);
    if (value === CUSTOM) return;
    const start = periodMs === undefined ? undefined : toTimeParameter(Date.now() - periodMs);
    change({ from: start, to: undefined });
  }
  return (
    <>
      <NativeSelect
        label="Time"
        value={isCustom ? CUSTOM : ANY}
        data={[ANY, ...QUICK_RANGES.keys(), CUSTOM]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {isCustom && (
        <>
          <TimeFilter label="From" name="from" />
          <TimeFilter label="To" name="to" error={isReversed && "From is after To."} />
        </>
      )}
    </>
  );
}

interface TimeFilterProps {
  label: string;
  /** URL parameter that the filter sets. */
  name: "from" | "to";
  error?: string | false;
}

/** A filter by a time, which is applied on Enter, or when the field loses the focus. */
function TimeFilter({ label, name, error }: TimeFilterProps) {
  const { get, change } = useUrlParameters();
  const time = parseTime(get(name));
  const current = time === undefined ? "" : toTimeInput(time);
  const [text, setText] = useState(current);
  const [known, setKnown] = useState(current);
  const input = useRef<HTMLInputElement>(null);
  if (current !== known) {
    setKnown(current);
    setText(current);
  }
  function apply(value: string): void {
    const entered = parseTime(value);
    if (value !== current) change({ [name]: entered === undefined ? undefined : toTimeParameter(entered) });
  }
  function clear(): void {
    setText("");
    apply("");
    input.current?.focus();
  }
  return (
    <TextInput
      ref={input}
      type="datetime-local"
      label={`${label} (${getZoneName(time)})`}
      value={text}
      error={error}
      onChange={({ currentTarget: { value } }) => setText(value)}
      onBlur={() => apply(text)}
      onKeyDown={({ key }: KeyboardEvent) => key === "Enter" && apply(text)}
      rightSection={current && <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={clear} />}
    />
  );
}

import { useDebouncedCallback } from "@mantine/hooks";
import { useRef, useState } from "react";
import { useUrlParameters } from "../url.ts";
import { textIssue } from "./text-issue.ts";

/** Time after the last key in which a search is applied. */
const TYPING_MS = 300;

interface FilterTextOptions {
  /** URL parameter that the filter sets. */
  name: string;
  /** Other URL parameters to clear when the filter changes. */
  drops?: string[] | undefined;
  /** Whether spaces around the text are removed from the filter. */
  isTrimmed?: boolean;
}

/** State of a text field that sets a filter in the URL. */
export interface FilterText {
  /** The filter in the URL. */
  current: string;
  /** What the field shows. */
  text: string;
  setText: (text: string) => void;
  /** Applies a value once nothing more is typed. */
  applySoon: (value: string) => void;
  /** Applies a value now. */
  apply: (value: string) => void;
}

/** Returns the state of a text field for a filter. An invalid value is not applied. */
export function useFilterText({ name, drops = [], isTrimmed = false }: FilterTextOptions): FilterText {
  const { get, change } = useUrlParameters();
  const current = get(name) ?? "";
  const [text, setText] = useState(current);
  const [known, setKnown] = useState(current);
  const getFilter = (given: string) => (isTrimmed ? given.trim() : given);
  if (current !== known) {
    setKnown(current);
    // Back or a link has changed the filter, unless it is what the field says.
    if (current !== getFilter(text)) setText(current);
  }
  /** What was applied while typing since the field had the focus. */
  const applied = useRef<string>(undefined);
  function set(value: string): void {
    if (value === current || textIssue(value) !== undefined) return;
    const dropped = Object.fromEntries(drops.map((other) => [other, undefined]));
    // What is typed until the field loses the focus has one history entry.
    change({ ...dropped, [name]: value || undefined }, { replace: applied.current === current });
  }
  const applySoon = useDebouncedCallback((given: string) => {
    const value = getFilter(given);
    set(value);
    applied.current = value;
  }, TYPING_MS);
  function apply(given: string): void {
    applySoon.cancel();
    set(getFilter(given));
    applied.current = undefined;
  }
  return { current, text, setText, applySoon, apply };
}

import { Autocomplete, CloseButton, type OptionsFilter, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type ChangeEvent, type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { useUrlParameters } from "../url.ts";
import { textIssue } from "./text-issue.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** Time after the last key in which a search is applied. */
const TYPING_MS = 300;

export interface Suggestion {
  value: string;
  /** Name to show before the value, unless it is empty or the value itself. */
  label: string;
}

interface TextFilterProps {
  label: string;
  /** URL parameter that the filter sets. */
  name: string;
  placeholder?: string;
  /** Hint below the label. */
  description?: string;
  /** Other URL parameters to clear when the filter changes. */
  drops?: string[];
  /** Values to choose from. Others can be entered too. */
  suggestions?: readonly Suggestion[];
  /** Is called with what is typed, for suggestions that match it. */
  onSearch?: (text: string) => void;
  /** Type of the input. `datetime-local` gives a time in the time zone of the browser. */
  type?: "text" | "search" | "datetime-local";
  /** Whether a part of the value finds something, so that the filter is also applied while it is typed. */
  isSearch?: boolean;
  /** What is wrong with the value. */
  error?: string | false;
}

/** A text filter that is applied on Enter, when a suggestion is chosen, or when the field loses the focus. */
export function TextFilter(props: TextFilterProps) {
  const { get } = useUrlParameters();
  const current = get(props.name) ?? "";
  const takesFocus = useRef(false);
  // A new field forgets the option that was highlighted before, for which Enter would do nothing.
  const key = props.isSearch ? undefined : current;
  return <Field key={key} {...props} current={current} takesFocus={takesFocus} />;
}

interface FieldProps extends TextFilterProps {
  current: string;
  /** Whether the field that replaces this one gets the focus, since it was applied from within. */
  takesFocus: RefObject<boolean>;
}

/** Keeps all options, since they match already. */
const unfiltered: OptionsFilter = ({ options }) => options;

function Field({
  label,
  name,
  placeholder = "Any",
  description,
  drops = [],
  suggestions,
  onSearch,
  type = "text",
  isSearch = false,
  error,
  current,
  takesFocus,
}: FieldProps) {
  const { change } = useUrlParameters();
  const [text, setText] = useState(current);
  const [known, setKnown] = useState(current);
  if (current !== known) {
    // Back or a link has changed the filter. A field that is no search is replaced then.
    setKnown(current);
    setText(current);
  }
  const input = useRef<HTMLInputElement>(null);
  const applied = useRef<string>(undefined);
  const issue = textIssue(text);
  function set(value: string): void {
    if (value === current || textIssue(value) !== undefined) return;
    const dropped = Object.fromEntries(drops.map((other) => [other, undefined]));
    // What is typed until the field loses the focus has one history entry.
    change({ ...dropped, [name]: value || undefined }, { replace: applied.current === current });
  }
  const setTyped = useDebouncedCallback((value: string) => {
    set(value);
    applied.current = value;
  }, TYPING_MS);
  function apply(value: string, keepsFocus = true): void {
    setTyped.cancel();
    takesFocus.current = keepsFocus && value !== current;
    set(value);
    applied.current = undefined;
  }
  function clear(): void {
    apply("");
    input.current?.focus();
  }
  const common = {
    label,
    placeholder,
    description,
    type,
    error: issue ?? error,
    value: text,
    autoFocus: takesFocus.current,
    onBlur: () => apply(text, false),
    onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
      // The arrow keys have highlighted an option, which Autocomplete submits itself.
      if (key === "Enter" && !currentTarget.hasAttribute("aria-activedescendant")) apply(text);
    },
    rightSection: current && <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={clear} />,
  };
  if (!suggestions) {
    const onChange = ({ currentTarget: { value: typed } }: ChangeEvent<HTMLInputElement>) => {
      setText(typed);
      if (isSearch) setTyped(typed);
    };
    return <TextInput {...common} ref={input} onChange={onChange} />;
  }
  const labels = new Map(suggestions.map((suggestion) => [suggestion.value, suggestion.label]));
  return (
    <Autocomplete
      {...common}
      data={[...labels.keys()]}
      {...(onSearch && text !== current && { filter: unfiltered })}
      renderOption={({ option: { value } }) => <Option value={value} label={labels.get(value) ?? ""} />}
      limit={10}
      onChange={(typed) => {
        setText(typed);
        if (textIssue(typed) === undefined) onSearch?.(typed);
      }}
      openOnFocus={!takesFocus.current}
      onOptionSubmit={(value) => apply(value)}
    />
  );
}

function Option({ value, label }: Suggestion) {
  if (label === "" || label === value) return <UntrustedText>{value}</UntrustedText>;
  return (
    <span>
      <UntrustedText>{label}</UntrustedText> (<UntrustedText>{value}</UntrustedText>)
    </span>
  );
}

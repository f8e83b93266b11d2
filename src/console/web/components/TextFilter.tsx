import { Autocomplete, CloseButton, type OptionsFilter, TextInput } from "@mantine/core";
import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { useUrlParameters } from "../url.ts";
import { textIssue } from "./text-issue.ts";
import { UntrustedText } from "./UntrustedText.tsx";

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
  /** What is wrong with the value. */
  error?: string | false;
}

/** A text filter that is applied on Enter, when a suggestion is chosen, or when the field loses the focus. */
export function TextFilter(props: TextFilterProps) {
  const { get } = useUrlParameters();
  const current = get(props.name) ?? "";
  const takesFocus = useRef(false);
  // A new field forgets the option that was highlighted before, for which Enter would do nothing.
  return <Field key={current} {...props} current={current} takesFocus={takesFocus} />;
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
  error,
  current,
  takesFocus,
}: FieldProps) {
  const { change } = useUrlParameters();
  const [text, setText] = useState(current);
  const issue = textIssue(text);
  function apply(value: string, keepsFocus = true): void {
    if (textIssue(value) !== undefined) return;
    takesFocus.current = keepsFocus && value !== current;
    const dropped = Object.fromEntries(drops.map((other) => [other, undefined]));
    if (value !== current) change({ ...dropped, [name]: value || undefined });
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
    rightSection: current && <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => apply("")} />,
  };
  if (!suggestions) return <TextInput {...common} onChange={(event) => setText(event.currentTarget.value)} />;
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

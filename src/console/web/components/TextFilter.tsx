import { Autocomplete, CloseButton, type OptionsFilter, TextInput } from "@mantine/core";
import { type ChangeEvent, type KeyboardEvent, type RefObject, useRef } from "react";
import { useUrlParameters } from "../url.ts";
import { textIssue } from "./text-issue.ts";
import { UntrustedText } from "./UntrustedText.tsx";
import { useFilterText } from "./use-filter-text.ts";

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
  type?: "text" | "search";
  /** Whether a part of the value finds something, so that the filter is also applied while it is typed. */
  isSearch?: boolean;
  /** What is wrong with the value. */
  error?: string | false;
}

/**
 * A text filter that is applied on Enter, when a suggestion is chosen, when the field loses the focus, or, as a search,
 * 300 ms after the last key.
 */
export function TextFilter(props: TextFilterProps) {
  const { get } = useUrlParameters();
  const current = get(props.name) ?? "";
  const takesFocus = useRef(false);
  // A new field forgets the option that was highlighted before, for which Enter would do nothing.
  const key = props.isSearch ? undefined : current;
  return <Field key={key} {...props} takesFocus={takesFocus} />;
}

interface FieldProps extends TextFilterProps {
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
  drops,
  suggestions,
  onSearch,
  type = "text",
  isSearch = false,
  error,
  takesFocus,
}: FieldProps) {
  const { current, text, setText, applySoon, apply: applyText } = useFilterText({ name, drops });
  const input = useRef<HTMLInputElement>(null);
  const issue = textIssue(text);
  function apply(value: string, keepsFocus = true): void {
    takesFocus.current = keepsFocus && value !== current;
    applyText(value);
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
      if (isSearch) applySoon(typed);
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

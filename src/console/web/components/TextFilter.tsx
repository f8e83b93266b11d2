import { Autocomplete, CloseButton, TextInput } from "@mantine/core";
import { useState } from "react";
import { useUrlParameters } from "../url.ts";

interface TextFilterProps {
  label: string;
  /** URL parameter that the filter sets. Changing it clears the page token. */
  name: string;
  placeholder?: string;
  /** Hint below the label. */
  description?: string;
  /** Other URL parameters to clear when the filter changes. */
  drops?: string[];
  /** Values to choose from. Others can be entered too. */
  suggestions?: readonly string[];
  /** Type of the input. `datetime-local` gives a time in the time zone of the browser. */
  type?: "text" | "search" | "datetime-local";
}

/** A text filter that is applied on Enter, when a suggestion is chosen, or when the field loses the focus. */
export function TextFilter(props: TextFilterProps) {
  const { get } = useUrlParameters();
  const current = get(props.name) ?? "";
  return <Field key={current} {...props} current={current} />;
}

function Field({
  label,
  name,
  placeholder = "Any",
  description,
  drops = [],
  suggestions,
  type = "text",
  current,
}: TextFilterProps & { current: string }) {
  const { change } = useUrlParameters();
  const [text, setText] = useState(current);
  function apply(value: string): void {
    const dropped = Object.fromEntries(["page", ...drops].map((other) => [other, undefined]));
    if (value !== current) change({ ...dropped, [name]: value || undefined });
  }
  const common = {
    label,
    placeholder,
    description,
    type,
    value: text,
    onBlur: () => apply(text),
    onKeyDown: ({ key }: { key: string }) => {
      if (key === "Enter") apply(text);
    },
    rightSection: current && <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => apply("")} />,
  };
  return suggestions ? (
    <Autocomplete {...common} data={[...suggestions]} limit={10} onChange={setText} onOptionSubmit={apply} />
  ) : (
    <TextInput {...common} onChange={(event) => setText(event.currentTarget.value)} />
  );
}

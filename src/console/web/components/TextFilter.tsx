import { CloseButton, TextInput } from "@mantine/core";
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
}

/** A text filter that is applied on Enter or when the field loses the focus. */
export function TextFilter({ label, name, placeholder = "Any", drops = [], description }: TextFilterProps) {
  const { get } = useUrlParameters();
  const current = get(name) ?? "";
  return <Field key={current} {...{ label, name, placeholder, description, drops, current }} />;
}

interface FieldProps extends TextFilterProps {
  drops: string[];
  current: string;
}

function Field({ label, name, placeholder, description, drops, current }: FieldProps) {
  const { change } = useUrlParameters();
  const [text, setText] = useState(current);
  function apply(value: string): void {
    const dropped = Object.fromEntries(["page", ...drops].map((other) => [other, undefined]));
    if (value !== current) change({ ...dropped, [name]: value || undefined });
  }
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      description={description}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => apply(text)}
      onKeyDown={(event) => {
        if (event.key === "Enter") apply(text);
      }}
      rightSection={current && <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => apply("")} />}
    />
  );
}

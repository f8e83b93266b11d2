import { CloseButton, TextInput } from "@mantine/core";
import { useState } from "react";
import { useParameters } from "../address.ts";

interface TextFilterProps {
  label: string;
  /** The parameter of the address that it sets; the page of the list is dropped with it. */
  name: string;
  placeholder?: string;
}

/** A filter by an exact text, in force from Enter on or when the field is left. */
export function TextFilter({ label, name, placeholder = "Any" }: TextFilterProps) {
  const { get } = useParameters();
  const current = get(name) ?? "";
  return <Field key={current} label={label} name={name} placeholder={placeholder} current={current} />;
}

function Field({ label, name, placeholder, current }: Required<TextFilterProps> & { current: string }) {
  const { change } = useParameters();
  const [text, setText] = useState(current);
  function apply(value: string): void {
    if (value !== current) change({ [name]: value || undefined, page: undefined });
  }
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
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

import { Autocomplete, CloseButton, type OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useRef, useState } from "react";
import { useApiQuery } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { userLabel } from "../../components/display-text.ts";
import { textIssue } from "../../components/text-issue.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useFilterText } from "../../components/use-filter-text.ts";
import { useUrlParameters } from "../../url.ts";

const MAX_SUGGESTIONS = 8;
const DEBOUNCE_MS = 200;
/** Wider than the field, so that names and addresses stand on one line, and not wider than a phone. */
const DROPDOWN_WIDTH = 340;

/** Keeps all options, since the API has filtered them. */
const unfiltered: OptionsFilter = ({ options }) => options;

/**
 * Finds users. It suggests those of all organizations whose name, address or ID contains the text, and opens the one
 * that is chosen. The last suggestion opens the page of an ID that no user has, since data may exist under it. What is
 * typed also filters the table.
 */
export function UserSearch() {
  const { change, all } = useUrlParameters();
  const { current, text, setText, applySoon, apply } = useFilterText({ name: "search", isTrimmed: true });
  const [isSuggesting, setIsSuggesting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const issue = textIssue(text.trim());
  const typed = issue === undefined ? text.trim() : "";
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const { query } = useApiQuery(
    "/v2/workspace/search/get",
    { search, limit: MAX_SUGGESTIONS },
    { isEnabled: search !== "" && isSuggesting },
  );
  const found = typed === "" ? [] : (query.data?.data.users ?? []);
  const users = new Map(found.map((user) => [user.userId, user]));
  const lookUp = `Check for data under the ID "${revealBidiControls(typed)}"`;
  function open(userId: string): void {
    const cleared = Object.fromEntries(all.map((name) => [name, undefined]));
    change({ ...cleared, user: userId });
  }
  function onChange(value: string): void {
    setText(value);
    setIsSuggesting(true);
    applySoon(value);
  }
  function filter(): void {
    setIsSuggesting(false);
    apply(text);
  }
  function clear(): void {
    apply("");
    input.current?.focus();
  }
  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
    // The arrow keys have highlighted an option, which Autocomplete submits itself.
    if (key === "Enter" && !currentTarget.hasAttribute("aria-activedescendant")) filter();
  }
  return (
    <Autocomplete
      ref={input}
      label="Search"
      placeholder="Name, address or ID"
      value={text}
      error={issue}
      data={!isSuggesting || typed === "" ? [] : [...users.keys(), ...(users.has(typed) ? [] : [lookUp])]}
      filter={unfiltered}
      comboboxProps={{ width: DROPDOWN_WIDTH, position: "bottom-start" }}
      renderOption={({ option: { value } }) => <Option value={value} user={users.get(value)} />}
      onChange={onChange}
      onOptionSubmit={(value) => open(value === lookUp ? typed : value)}
      onBlur={filter}
      onKeyDown={onKeyDown}
      rightSection={current && <CloseButton size="sm" aria-label="Clear Search" onClick={clear} />}
    />
  );
}

function Option({
  value,
  user,
}: {
  value: string;
  user: { userId: string; name?: string; email?: string } | undefined;
}) {
  const label = user && userLabel(user);
  if (label === undefined || label === value) return <UntrustedText>{value}</UntrustedText>;
  return (
    <span>
      <UntrustedText>{label}</UntrustedText> (<UntrustedText>{value}</UntrustedText>)
    </span>
  );
}

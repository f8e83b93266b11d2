import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApiQuery } from "../api/use-api.ts";
import { nameOrId, userLabel } from "./display-text.ts";
import { type Suggestion, TextFilter } from "./TextFilter.tsx";

const MAX_SUGGESTIONS = 10;
const DEBOUNCE_MS = 200;

interface User {
  userId: string;
  name?: string;
  email?: string;
}

interface SuggestingFilterProps<Shown = string> {
  organizationId: string | undefined;
  /**
   * IDs, or users, that are suggested at once. They stay while the text is searched for, so that one that was chosen by
   * key in the meantime stays chosen.
   */
  shown?: Shown[];
  placeholder?: string;
  drops?: string[];
}

/** A filter by document, which suggests those of the organization whose name or ID contains the text. */
export function DocumentFilter({ organizationId = "", shown = [], ...rest }: SuggestingFilterProps) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, DEBOUNCE_MS);
  const { query } = useApiQuery(
    "/v2/organizations/documents/figures/get",
    { organizationId, search, pageSize: MAX_SUGGESTIONS },
    { isEnabled: organizationId !== "" && search !== "" },
  );
  const found = search === "" ? [] : (query.data?.data.documents ?? []);
  const suggestions = [
    ...withText(shown.map(getSuggestion), text),
    ...found.map(({ id, documentName }) => ({ value: id, label: nameOrId(documentName, id) })),
  ];
  return <TextFilter label="Document" name="document" suggestions={sorted(suggestions)} onSearch={setText} {...rest} />;
}

/** A filter by user, which suggests those whose name, address or ID contains the text. */
export function UserFilter({ organizationId, shown = [], ...rest }: SuggestingFilterProps<User>) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, DEBOUNCE_MS);
  const isSearched = search !== "";
  const inOrganization = useApiQuery(
    "/v2/users/figures/get",
    { organizationId: organizationId ?? "", search, pageSize: MAX_SUGGESTIONS },
    { isEnabled: isSearched && organizationId !== undefined },
  ).query.data?.data;
  const inWorkspace = useApiQuery(
    "/v2/workspace/search/get",
    { search, limit: MAX_SUGGESTIONS },
    { isEnabled: isSearched && organizationId === undefined },
  ).query.data?.data;
  const found: User[] = (organizationId === undefined ? inWorkspace : inOrganization)?.users ?? [];
  const toSuggestion = (user: User) => ({ value: user.userId, label: userLabel(user) });
  const suggestions = [...withText(shown.map(toSuggestion), text), ...(isSearched ? found.map(toSuggestion) : [])];
  return <TextFilter label="User" name="user" suggestions={sorted(suggestions)} onSearch={setText} {...rest} />;
}

/**
 * A filter by action type, which suggests those of the organization that start with the text. The feed of all
 * organizations suggests what it shows.
 */
export function ActionFilter({ organizationId, shown = [] }: SuggestingFilterProps) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, DEBOUNCE_MS);
  const { query } = useApiQuery(
    "/v2/activities/actiontypes/get",
    { organizationId: organizationId ?? "", search: search || undefined, limit: MAX_SUGGESTIONS },
    { isEnabled: organizationId !== undefined },
  );
  const found = organizationId === undefined ? [] : (query.data?.data ?? []);
  return (
    <TextFilter
      label="Action"
      name="action"
      placeholder="comment.add"
      suggestions={sorted([...withText(shown.map(getSuggestion), text), ...found.map(getSuggestion)])}
      onSearch={setText}
    />
  );
}

function getSuggestion(value: string): Suggestion {
  return { value, label: value };
}

/** Returns the suggestions whose label contains the text. */
function withText(suggestions: Suggestion[], text: string): Suggestion[] {
  return suggestions.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
}

/** Returns each value once, in the order of the labels. */
function sorted(suggestions: Suggestion[]): Suggestion[] {
  const byValue = new Map(suggestions.map((suggestion) => [suggestion.value, suggestion]));
  return [...byValue.values()].sort((one, other) => one.label.localeCompare(other.label));
}

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
  /** IDs, or users, that are suggested before anything is typed. */
  shown?: Shown[];
  placeholder?: string;
  drops?: string[];
}

/** A filter by document, which suggests those of the organization whose name or ID starts like the text. */
export function DocumentFilter({ organizationId = "", shown = [], ...rest }: SuggestingFilterProps) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, DEBOUNCE_MS);
  const { query } = useApiQuery(
    "/v2/organizations/documents/figures/get",
    { organizationId, search, pageSize: MAX_SUGGESTIONS },
    { isEnabled: organizationId !== "" && search !== "" },
  );
  const found = query.data?.data.documents ?? [];
  const documents = search === "" ? shown.map((id) => ({ id, documentName: "" })) : found;
  return (
    <TextFilter
      label="Document"
      name="document"
      suggestions={sorted(documents.map(({ id, documentName }) => ({ value: id, label: nameOrId(documentName, id) })))}
      onSearch={setText}
      {...rest}
    />
  );
}

/** A filter by user, which suggests those whose name, address or ID starts like the text. */
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
  const users = isSearched ? found : shown;
  return (
    <TextFilter
      label="User"
      name="user"
      suggestions={sorted(users.map((user) => ({ value: user.userId, label: userLabel(user) })))}
      onSearch={setText}
      {...rest}
    />
  );
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
  const actions = organizationId === undefined ? shown : (query.data?.data ?? []);
  return (
    <TextFilter
      label="Action"
      name="action"
      placeholder="comment.add"
      suggestions={sorted(actions.map((value) => ({ value, label: value })))}
      onSearch={setText}
    />
  );
}

/** Returns each value once, in the order of the labels. */
function sorted(suggestions: Suggestion[]): Suggestion[] {
  const byValue = new Map(suggestions.map((suggestion) => [suggestion.value, suggestion]));
  return [...byValue.values()].sort((one, other) => one.label.localeCompare(other.label));
}

import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApiQuery } from "../api/use-api.ts";
import { userLabel } from "./display-text.ts";
import { type Suggestion, TextFilter } from "./TextFilter.tsx";

const MAX_SUGGESTIONS = 10;
const DEBOUNCE_MS = 200;

interface SuggestingFilterProps {
  organizationId: string | undefined;
  /** IDs that are suggested before anything is typed. */
  shown?: string[];
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
  const found = query.data?.data.documents.map(({ id, documentName }) => ({ value: id, label: documentName }));
  return (
    <TextFilter
      label="Document"
      name="document"
      suggestions={search === "" ? sorted(shown) : (found ?? [])}
      onSearch={setText}
      {...rest}
    />
  );
}

/** A filter by user, which suggests those whose name, address or ID starts like the text. */
export function UserFilter({ organizationId, shown = [], ...rest }: SuggestingFilterProps) {
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
  const found = (organizationId === undefined ? inWorkspace : inOrganization)?.users ?? [];
  const users = new Map(found.map((user) => [user.userId, { value: user.userId, label: userLabel(user) }]));
  return (
    <TextFilter
      label="User"
      name="user"
      suggestions={isSearched ? [...users.values()] : sorted(shown)}
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
  return (
    <TextFilter
      label="Action"
      name="action"
      placeholder="comment.add"
      suggestions={sorted(organizationId === undefined ? shown : (query.data?.data ?? []))}
      onSearch={setText}
    />
  );
}

/** Returns each ID once, in order. */
function sorted(ids: string[]): Suggestion[] {
  return [...new Set(ids)].sort().map((value) => ({ value, label: value }));
}

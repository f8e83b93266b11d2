import { useDebouncedValue } from "@mantine/hooks";
import { useOpenApi } from "../api/open-api.ts";
import { useApiQuery } from "../api/use-api.ts";
import { nameOrId, userLabel } from "../components/display-text.ts";
import type { IconName } from "../components/Icon.tsx";
import { type OperationPaths, operationsLike } from "../components/operations-like.ts";
import { useOrganizationNames } from "../components/organization-names.ts";
import { textIssue } from "../components/text-issue.ts";
import { findPages } from "./find-pages.ts";
import { findActions } from "./palette-actions.ts";

const DEBOUNCE_MS = 200;
const MAX_OPERATIONS = 5;

export interface PaletteOption {
  label: string;
  /** Second line, such as the ID below a name. */
  detail?: string | undefined;
  icon: IconName;
  href: string;
}

export interface PaletteGroup {
  title: string;
  options: PaletteOption[];
}

export interface PaletteResult {
  groups: PaletteGroup[];
  isSearching: boolean;
  error: Error | null;
}

/**
 * Returns what a text finds: actions by the start of words, pages and tabs of the settings by a part of their name,
 * operations by a part of their path, and organizations, users and documents of the workspace by a part of their ID,
 * name or email address. Pages that only contain the text come last, once the records are
 * known. Sends one request per pause in typing.
 */
export function usePaletteOptions(text: string): PaletteResult {
  const typed = text.trim();
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const isEnabled = search !== "" && search === typed && textIssue(search) === undefined;
  const { query, error } = useApiQuery("/v2/workspace/search/get", { search }, { isEnabled });
  // Shows nothing of the previous text meanwhile.
  const found = isEnabled && !query.isPlaceholderData ? query.data?.data : undefined;
  const { organizations = [], users = [], documents = [] } = found ?? {};
  const byId = new Map(users.map((user) => [user.userId, user]));
  const { named, others } = findPages(typed);
  const isSearching = search !== typed || query.isFetching;
  const isPath = typed.includes("/");
  const { data: openApi } = useOpenApi<{ paths: OperationPaths }>({ isEnabled: isPath });
  const operations = isPath ? operationsLike(typed, openApi?.paths ?? {}).slice(0, MAX_OPERATIONS) : [];
  const getName = useOrganizationNames(documents.map(({ organizationId }) => organizationId));
  const groups: PaletteGroup[] = [
    { title: "Pages", options: named },
    { title: "Actions", options: findActions(typed) },
    {
      title: "Operations",
      options: operations.map((operation) => ({
        label: operation,
        icon: "api",
        href: `/api?${new URLSearchParams({ operation })}`,
      })),
    },
    {
      title: "Organizations",
      options: organizations.map(({ id, organizationName }) => ({
        ...labelled(id, organizationName),
        icon: "organizations",
        href: `/organizations?${new URLSearchParams({ organization: id })}`,
      })),
    },
    {
      title: "Users",
      options: [...byId.values()].map((user) => ({
        ...labelled(user.userId, userLabel(user)),
        icon: "people",
        href: `/people?${new URLSearchParams({ user: user.userId })}`,
      })),
    },
    {
      title: "Documents",
      options: documents.map(({ organizationId, id, documentName }) => ({
        label: nameOrId(documentName, id),
        detail: `${id} in ${getName(organizationId)}`,
        icon: "documents",
        href: `/documents?${new URLSearchParams({ organization: organizationId, document: id })}`,
      })),
    },
    { title: "More pages", options: isSearching ? [] : others },
  ];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isSearching,
    error: isEnabled ? error : null,
  };
}

function labelled(id: string, name: string | undefined): Pick<PaletteOption, "label" | "detail"> {
  const label = nameOrId(name, id);
  return label === id ? { label } : { label, detail: id };
}

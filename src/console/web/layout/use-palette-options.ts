import { useDebouncedValue } from "@mantine/hooks";
import { useApiQuery } from "../api/use-api.ts";
import { nameOrId, userLabel } from "../components/display-text.ts";
import type { IconName } from "../components/Icon.tsx";
import { textIssue } from "../components/text-issue.ts";
import { findPages } from "./find-pages.ts";

const DEBOUNCE_MS = 200;

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
 * Returns what a text finds: pages and tabs of the settings by a part of their name; organizations, users and documents
 * of the workspace by the start of their ID, of a word of their name or of their email address. Sends one request per
 * pause in typing.
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
  const groups: PaletteGroup[] = [
    {
      title: "Pages",
      options: findPages(typed),
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
        detail: `${id} in ${organizationId}`,
        icon: "documents",
        href: `/documents?${new URLSearchParams({ organization: organizationId, document: id })}`,
      })),
    },
  ];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isSearching: search !== typed || query.isFetching,
    error: isEnabled ? error : null,
  };
}

function labelled(id: string, name: string | undefined): Pick<PaletteOption, "label" | "detail"> {
  const label = nameOrId(name, id);
  return label === id ? { label } : { label, detail: id };
}

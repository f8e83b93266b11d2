import { useDebouncedValue } from "@mantine/hooks";
import type { ApiQuery } from "../api/use-api.ts";
import { useApiQuery } from "../api/use-api.ts";
import { userLabel } from "../components/display-text.ts";
import type { IconName } from "../components/Icon.tsx";
import { useUrlParameters } from "../url.ts";
import { NAVIGATION_ENTRIES } from "./Navigation.tsx";

const DEBOUNCE_MS = 200;
const MAX_ORGANIZATIONS = 8;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

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
 * Returns what a text finds: pages by name, organizations by the start of their name or ID, a user by ID or email
 * address, and a document of the organization in the URL by ID. Sends one request for each kind per pause in typing.
 */
export function usePaletteOptions(text: string): PaletteResult {
  const typed = text.trim();
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const organizationId = useUrlParameters().get("organization");
  const isEnabled = search !== "" && search === typed;
  const organizations = useApiQuery("/v2/organizations/get", { search, pageSize: MAX_ORGANIZATIONS }, { isEnabled });
  const user = EMAIL.test(search) ? { email: search } : { userId: search };
  const users = useApiQuery("/v2/workspace/users/get", user, { isEnabled });
  const documents = useApiQuery(
    "/v2/organizations/documents/get",
    { organizationId: organizationId ?? "", documentIds: [search] },
    { isEnabled: isEnabled && organizationId !== undefined },
  );
  const found = {
    organizations: isEnabled ? currentData(organizations) : [],
    users: isEnabled ? currentData(users) : [],
    documents: isEnabled && organizationId !== undefined ? currentData(documents) : [],
  };
  const byId = new Map(found.users.map((one) => [one.user.userId, one.user]));
  const groups: PaletteGroup[] = [
    {
      title: "Pages",
      options: NAVIGATION_ENTRIES.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
    },
    {
      title: "Organizations",
      options: found.organizations.map(({ id, organizationName }) => ({
        ...labelled(id, organizationName),
        icon: "organizations",
        href: `/organizations?${new URLSearchParams({ organization: id })}`,
      })),
    },
    {
      title: `Documents of ${organizationId ?? ""}`,
      options: found.documents.map(({ id, documentName }) => ({
        ...labelled(id, documentName),
        icon: "documents",
        href: `/documents?${new URLSearchParams({ organization: organizationId ?? "", document: id })}`,
      })),
    },
    {
      title: "Users",
      options: [...byId.values()].map((one) => ({
        ...labelled(one.userId, userLabel(one)),
        icon: "people",
        href: `/people?${new URLSearchParams({ user: one.userId })}`,
      })),
    },
  ];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isSearching: search !== typed || organizations.query.isFetching || users.query.isFetching,
    error: isEnabled ? (organizations.query.error ?? users.query.error) : null,
  };
}

/** Returns the records that a query found, and none while it shows those of the previous one. */
function currentData<Record>({ query }: ApiQuery<Record[]>): Record[] {
  return query.isPlaceholderData ? [] : (query.data?.data ?? []);
}

function labelled(id: string, name: string | undefined): Pick<PaletteOption, "label" | "detail"> {
  return name && name !== id ? { label: name, detail: id } : { label: id };
}

import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";

/** Path of the console: `/console`, after the prefix of a proxy if there is one. */
export const CONSOLE_PATH = /^(.*?\/console)(?=\/|$)/.exec(location.pathname)?.[1] ?? "/console";

/** Base URL of the API, without a trailing slash. */
export const SERVICE_URL = `${location.origin}${CONSOLE_PATH.slice(0, -"/console".length)}`;

type Changes = Record<string, string | undefined>;

/** Parameters that hold the page tokens of lists: `page` of the main one. */
const PAGE_PARAMETERS = ["page", "annotations", "deliveries", "found", "preferences", "users"] as const;
export type PageParameter = (typeof PAGE_PARAMETERS)[number];
/** Parameters that filter no list: those that hold page tokens or show a part of the page. */
const WITHOUT_FILTER = new Set<string>([...PAGE_PARAMETERS, "job", "mail", "record", "view"]);

/** Changes that lead to the first page of each list. */
export const FIRST_PAGES: Changes = Object.fromEntries(PAGE_PARAMETERS.map((name) => [name, undefined]));

export interface UrlParameters {
  /** Returns a query parameter of the URL; undefined if absent or empty. */
  get(name: string): string | undefined;
  /** Names of the parameters that are set. */
  all: string[];
  /** The parameters that filter, as the query of a URL in the order of their names. */
  filters: string;
  /** Navigates to this page with these parameters changed, adding a history entry unless `replace` is set. */
  change(changes: Changes, options?: { replace?: boolean }): void;
  /**
   * Returns the URL of this page with these parameters changed. Lists begin at their first page if a filter changes,
   * because a page token belongs to the filters of its list.
   */
  link(changes: Changes): string;
}

/** Reads and changes the state of a page, which is kept in the URL so that links can be shared. */
export function useUrlParameters(): UrlParameters {
  const search = useSearch();
  const [path, navigate] = useLocation();
  return useMemo(() => {
    const parameters = new URLSearchParams(search);
    function link(changes: Changes): string {
      const changed = new URLSearchParams(parameters);
      const isFiltered = Object.keys(changes).some((name) => !WITHOUT_FILTER.has(name));
      for (const [name, value] of Object.entries({ ...(isFiltered && FIRST_PAGES), ...changes })) {
        if (value) changed.set(name, value);
        else changed.delete(name);
      }
      return changed.size > 0 ? `${path}?${changed}` : path;
    }
    const filters = new URLSearchParams([...parameters].filter(([name]) => !WITHOUT_FILTER.has(name)));
    filters.sort();
    return {
      filters: filters.toString(),
      all: [...parameters.keys()],
      get: (name) => parameters.get(name) || undefined,
      change: (changes, options) => navigate(link(changes), options),
      link,
    };
  }, [search, path, navigate]);
}

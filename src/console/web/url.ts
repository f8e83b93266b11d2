import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";

/** The path that the console is served at, `/console` unless a proxy puts one in front. */
export const CONSOLE_PATH = /^(.*?\/console)(?=\/|$)/.exec(location.pathname)?.[1] ?? "/console";

/** The address of the API, without a slash at its end. */
export const SERVICE_URL = `${location.origin}${CONSOLE_PATH.slice(0, -"/console".length)}`;

type Changes = Record<string, string | undefined>;

export interface UrlParameters {
  /** Of the address's query; undefined where absent or empty. */
  get(name: string): string | undefined;
  /** The names of those that are set. */
  all: string[];
  /** Goes to the address with these parameters changed; Back comes back, unless the entry is replaced. */
  change(changes: Changes, options?: { replace?: boolean }): void;
  /** The address of this page with these parameters changed. */
  link(changes: Changes): string;
}

/** The state of a page: everything that a shared link must bring back. */
export function useUrlParameters(): UrlParameters {
  const search = useSearch();
  const [path, navigate] = useLocation();
  return useMemo(() => {
    const parameters = new URLSearchParams(search);
    function link(changes: Changes): string {
      const changed = new URLSearchParams(parameters);
      for (const [name, value] of Object.entries(changes)) {
        if (value) changed.set(name, value);
        else changed.delete(name);
      }
      return changed.size > 0 ? `${path}?${changed}` : path;
    }
    return {
      all: [...parameters.keys()],
      get: (name) => parameters.get(name) || undefined,
      change: (changes, options) => navigate(link(changes), options),
      link,
    };
  }, [search, path, navigate]);
}

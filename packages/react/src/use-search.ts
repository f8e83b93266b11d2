import { useEffect } from "react";
import type { LivePages } from "./use-store.ts";

/** Maximum number of records to read for a filter that matches none of them. */
const MAX_SEARCHED = 500;

/** Loads pages of a list until some of its records match a filter. Returns whether it searches. */
export function useSearch(list: LivePages<unknown[]>, matches: number): boolean {
  const { data, isLoading, error, hasMore, loadMore } = list;
  const isSearching = matches === 0 && hasMore && data.length < MAX_SEARCHED && error === undefined;
  const count = data.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each page that has come is a reason to load the next one.
  useEffect(() => {
    // The list shows its error.
    if (isSearching && !isLoading) loadMore().catch(() => {});
  }, [isSearching, isLoading, loadMore, count]);
  return isSearching;
}

import { useMemo } from "react";

interface ItemResult {
  success: boolean;
  message: string;
}

/** Returns the error of an item of a request; undefined if it succeeded. */
export function itemError(item: ItemResult | undefined): string | undefined {
  if (!item) return "The response has no result for this item.";
  return item.success ? undefined : item.message;
}

/** Returns the error of the only item of a request; undefined if it succeeded. */
export function onlyItemError(items: Readonly<Record<string, ItemResult>>): string | undefined {
  return itemError(Object.values(items)[0]);
}

/** Returns the error of the only item as an Error, the same object for as long as the response is the same. */
export function useOnlyItemError(items: Readonly<Record<string, ItemResult>> | undefined): Error | null {
  return useMemo(() => {
    const error = items && onlyItemError(items);
    return error === undefined ? null : new Error(error);
  }, [items]);
}

interface ItemResult {
  success: boolean;
  message: string;
}

/** Returns the failure of an item of a request; undefined if it succeeded. */
export function itemFailure(item: ItemResult | undefined): string | undefined {
  if (!item) return "The response has no result for this item.";
  return item.success ? undefined : item.message;
}

/** Returns the failure of the only item of a request; undefined if it succeeded. */
export function onlyItemFailure(items: Readonly<Record<string, ItemResult>>): string | undefined {
  return itemFailure(Object.values(items)[0]);
}

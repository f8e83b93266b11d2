/**
 * Returns the IDs in a request that name what it deletes: those of the first of these fields that has any, or else of
 * the organization. Empty if the request names none, as one that is invalid or deletes everything.
 */
export function getDeletedIds(request: unknown, fields: readonly string[]): string[] {
  const data = new Map<string, unknown>(Object.entries(Object(request)));
  const found = [...fields, "organizationId"].map((field) => [data.get(field)].flat().filter(isId));
  return (found.find((ids) => ids.length > 0) ?? []).map(String);
}

function isId(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

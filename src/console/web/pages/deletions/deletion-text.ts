/** Number of IDs that a summary names. */
const MAX_NAMED = 5;

/** Returns the users of a deletion in words. Their IDs are cleared after the retention. */
export function usersLabel(userIds: readonly string[]): string {
  return userIds.length === 0 ? "Users whose IDs are no longer kept" : shorten(userIds);
}

/** Returns the scope of a deletion in words, with the names of the organizations. */
export function scopeLabel(organizationIds: readonly string[] | null, toName: (id: string) => string): string {
  return organizationIds ? `in ${shorten(organizationIds.map(toName))}` : "in all organizations";
}

function shorten(ids: readonly string[]): string {
  const more = ids.length - MAX_NAMED;
  return ids.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Returns a time to the second in UTC, such as `2026-11-24 09:30:00 UTC`, which means the same on every copy. */
export function utcTime(isoTime: string): string {
  return `${isoTime.slice(0, 19).replace("T", " ")} UTC`;
}

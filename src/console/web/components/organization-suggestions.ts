interface OrganizationSuggestion {
  id: string;
  organizationName?: string;
}

/**
 * The ids to offer for a text: the one that it is comes first, then those that have it in their id or name. Where there
 * are more organizations than those known, the text itself may be one and comes last.
 */
export function suggestOrganizations(
  text: string,
  known: OrganizationSuggestion[],
  { isAll }: { isAll: boolean },
): string[] {
  const wanted = text.toLowerCase();
  const fitting = known.filter(({ id, organizationName }) =>
    `${id}\n${organizationName ?? ""}`.toLowerCase().includes(wanted),
  );
  const ids = fitting.map(({ id }) => id);
  if (text === "") return ids;
  if (ids.includes(text)) return [text, ...ids.filter((id) => id !== text)];
  return isAll ? ids : [...ids, text];
}

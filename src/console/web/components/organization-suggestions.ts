import { nameOrId } from "./display-text.ts";

interface OrganizationSuggestion {
  id: string;
  organizationName?: string;
}

/**
 * Returns the IDs to suggest for a text: an exact match first, then organizations whose ID or name starts with it, then
 * those that contain it, each in the order of their names. If there are more organizations than the known ones, the
 * text itself may be an ID and comes last.
 */
export function suggestOrganizations(
  text: string,
  known: OrganizationSuggestion[],
  { isAll }: { isAll: boolean },
): string[] {
  const search = text.toLowerCase();
  const toLabel = ({ id, organizationName }: OrganizationSuggestion) => nameOrId(organizationName, id);
  const matching = known
    .filter(({ id, organizationName }) => `${id}\n${organizationName ?? ""}`.toLowerCase().includes(search))
    .sort((one, other) => toLabel(one).localeCompare(toLabel(other)));
  const startsWithText = ({ id, organizationName }: OrganizationSuggestion) =>
    [id, organizationName ?? ""].some((one) => one.toLowerCase().startsWith(search));
  const groups = Map.groupBy(matching, startsWithText);
  const ids = [...(groups.get(true) ?? []), ...(groups.get(false) ?? [])].map(({ id }) => id);
  if (text === "") return ids;
  if (ids.includes(text)) return [text, ...ids.filter((id) => id !== text)];
  return isAll ? ids : [...ids, text];
}

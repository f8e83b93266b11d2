import type { IconName } from "../components/Icon.tsx";
import { SETTINGS_TABS } from "../settings-tabs.ts";
import { NAVIGATION_ENTRIES } from "./Navigation.tsx";

interface FoundPage {
  label: string;
  /** The page of a tab. */
  detail?: string;
  icon: IconName;
  href: string;
}

const TABS: FoundPage[] = Object.entries(SETTINGS_TABS).map(([name, label]) => {
  return { label, detail: "Settings", icon: "settings", href: `/settings?tab=${name}` };
});

const ALL: FoundPage[] = [...NAVIGATION_ENTRIES, ...TABS];

/**
 * Returns the pages and tabs whose name begins with the text, the best match first, and the others that match; all
 * pages for an empty text.
 */
export function findPages(text: string): { named: FoundPage[]; others: FoundPage[] } {
  if (text === "") return { named: NAVIGATION_ENTRIES, others: [] };
  const search = text.toLowerCase();
  const found = ALL.map((page) => ({ page, rank: getRank(page, search) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank);
  const isNamed = ({ rank }: (typeof found)[number]) => rank <= 1;
  const toPage = ({ page }: (typeof found)[number]) => page;
  return { named: found.filter(isNamed).map(toPage), others: found.filter((one) => !isNamed(one)).map(toPage) };
}

/** Returns how well a page matches: 0 if the text is its name, infinity if it does not match. */
function getRank({ label, detail = "" }: FoundPage, search: string): number {
  const name = label.toLowerCase();
  if (name === search) return 0;
  if (name.startsWith(search)) return 1;
  if (name.includes(search)) return 2;
  return detail.toLowerCase().startsWith(search) ? 3 : Number.POSITIVE_INFINITY;
}

import type { IconName } from "../components/Icon.tsx";
import { NAVIGATION_ENTRIES } from "./Navigation.tsx";

interface FoundPage {
  label: string;
  /** The page of a tab. */
  detail?: string;
  icon: IconName;
  href: string;
}

/** Labels of the tabs of the settings, which are loaded with their page only. */
const SETTINGS_TABS = new Map([
  ["activities", "Activities"],
  ["notifications", "Notifications"],
  ["email", "Email"],
  ["access", "Access"],
  ["domains", "Allowed domains"],
  ["tokens", "Auth tokens"],
  ["user-tokens", "User tokens"],
  ["sessions", "Sessions"],
  ["audit", "Audit log"],
]);

const TABS: FoundPage[] = [...SETTINGS_TABS].map(([name, label]) => {
  return { label, detail: "Settings", icon: "settings", href: `/settings?tab=${name}` };
});

/** Returns the pages whose name contains the text, then such tabs of the settings; all pages for an empty text. */
export function findPages(text: string): FoundPage[] {
  if (text === "") return NAVIGATION_ENTRIES;
  const search = text.toLowerCase();
  const isFound = ({ label, detail = "" }: FoundPage) =>
    label.toLowerCase().includes(search) || detail.toLowerCase().startsWith(search);
  const tabs = TABS.filter(isFound).map(({ href }) => href);
  // A tab with an entry of its own in the navigation is found by the name of the tab, too, but listed once.
  const pages = NAVIGATION_ENTRIES.filter((entry) => isFound(entry) || tabs.includes(entry.href));
  const listed = new Set(pages.map(({ href }) => href));
  return [...pages, ...TABS.filter(({ href }) => tabs.includes(href) && !listed.has(href))];
}

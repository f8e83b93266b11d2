import { type ComponentType, lazy } from "react";

interface PageModule {
  default: ComponentType;
}

export interface PageEntry {
  /** In the address, behind the workspace's id. */
  name: string;
  title: string;
  Component: ComponentType;
  /** Reads the page's script, to have it when it is shown. */
  load: () => Promise<PageModule>;
}

function page(name: string, title: string, load: () => Promise<PageModule>): PageEntry {
  return { name, title, Component: lazy(load), load };
}

/** Every page of a workspace in the order of the navigation, each read when it is first shown. */
export const PAGES: PageEntry[] = [
  page("overview", "Overview", () => import("./pages/overview/OverviewPage.tsx")),
  page("activities", "Activities", () => import("./pages/activities/ActivitiesPage.tsx")),
  page("organizations", "Organizations", () => import("./pages/organizations/OrganizationsPage.tsx")),
  page("people", "People", () => import("./pages/people/PeoplePage.tsx")),
  page("notifications", "Notifications", () => import("./pages/notifications/NotificationsPage.tsx")),
  page("recordings", "Recordings", () => import("./pages/recordings/RecordingsPage.tsx")),
  page("documents", "Documents", () => import("./pages/documents/DocumentsPage.tsx")),
  page("presence", "Presence", () => import("./pages/presence/PresencePage.tsx")),
  page("settings", "Settings", () => import("./pages/settings/SettingsPage.tsx")),
  page("outbox", "Outbox", () => import("./pages/outbox/OutboxPage.tsx")),
  page("api", "API", () => import("./pages/api/ApiPage.tsx")),
];

/** The page that an address names, or the first. */
export function pageAt(path: string): PageEntry | undefined {
  return PAGES.find(({ name }) => path.endsWith(`/${name}`)) ?? PAGES[0];
}

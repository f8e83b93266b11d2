import { type ComponentType, lazy } from "react";

interface PageModule {
  default: ComponentType;
}

export interface PageEntry {
  /** Path segment after the workspace ID. */
  name: string;
  title: string;
  Component: ComponentType;
  /** Loads the page's script. */
  load: () => Promise<PageModule>;
}

/** Error of loading a page's script: the service is down, or an upgrade removed the script. */
export class PageLoadError extends Error {}

function page(name: string, title: string, importScript: () => Promise<PageModule>): PageEntry {
  const load = () =>
    importScript().catch((cause: unknown) => {
      throw new PageLoadError(`The script of ${title} could not be loaded.`, { cause });
    });
  return { name, title, Component: lazy(load), load };
}

/** Pages of a workspace in navigation order. The script of each is loaded when it is first shown. */
export const PAGES: PageEntry[] = [
  page("overview", "Overview", () => import("./pages/overview/OverviewPage.tsx")),
  page("activities", "Activities", () => import("./pages/ActivitiesPage.tsx")),
  page("organizations", "Organizations", () => import("./pages/organizations/OrganizationsPage.tsx")),
  page("people", "People", () => import("./pages/people/PeoplePage.tsx")),
  page("deletions", "Deletions", () => import("./pages/deletions/DeletionsPage.tsx")),
  page("notifications", "Notifications", () => import("./pages/notifications/NotificationsPage.tsx")),
  page("recordings", "Recordings", () => import("./pages/recordings/RecordingsPage.tsx")),
  page("documents", "Documents", () => import("./pages/documents/DocumentsPage.tsx")),
  page("presence", "Presence", () => import("./pages/presence/PresencePage.tsx")),
  page("webhooks", "Webhooks", () => import("./pages/webhooks/WebhooksPage.tsx")),
  page("requests", "Request log", () => import("./pages/requests/RequestsPage.tsx")),
  page("settings", "Settings", () => import("./pages/settings/SettingsPage.tsx")),
  page("mails", "Mails", () => import("./pages/mails/MailsPage.tsx")),
  page("outbox", "Outbox", () => import("./pages/outbox/OutboxPage.tsx")),
  page("api", "API", () => import("./pages/api/ApiPage.tsx")),
];

/** Returns the page at a path, or the first page if none matches. */
export function pageAt(path: string): PageEntry | undefined {
  return PAGES.find(({ name }) => path.endsWith(`/${name}`)) ?? PAGES[0];
}

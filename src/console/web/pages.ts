import { type ComponentType, lazy } from "react";

export interface PageEntry {
  /** In the address, behind the workspace's id. */
  name: string;
  title: string;
  Component: ComponentType;
}

/** Every page of a workspace in the order of the navigation, each read when it is first shown. */
export const PAGES: PageEntry[] = [
  { name: "overview", title: "Overview", Component: lazy(() => import("./pages/overview/OverviewPage.tsx")) },
  { name: "activities", title: "Activities", Component: lazy(() => import("./pages/activities/ActivitiesPage.tsx")) },
  {
    name: "organizations",
    title: "Organizations",
    Component: lazy(() => import("./pages/organizations/OrganizationsPage.tsx")),
  },
  { name: "people", title: "People", Component: lazy(() => import("./pages/people/PeoplePage.tsx")) },
  {
    name: "notifications",
    title: "Notifications",
    Component: lazy(() => import("./pages/notifications/NotificationsPage.tsx")),
  },
  { name: "recordings", title: "Recordings", Component: lazy(() => import("./pages/recordings/RecordingsPage.tsx")) },
  { name: "documents", title: "Documents", Component: lazy(() => import("./pages/documents/DocumentsPage.tsx")) },
  { name: "presence", title: "Presence", Component: lazy(() => import("./pages/presence/PresencePage.tsx")) },
  { name: "settings", title: "Settings", Component: lazy(() => import("./pages/settings/SettingsPage.tsx")) },
  { name: "outbox", title: "Outbox", Component: lazy(() => import("./pages/outbox/OutboxPage.tsx")) },
  { name: "api", title: "API", Component: lazy(() => import("./pages/api/ApiPage.tsx")) },
];

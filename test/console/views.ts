import { COMMIT_COUNT, NEWEST_SUBJECT } from "./repository.ts";
import { SETTINGS_VIEWS } from "./settings-views.ts";
import type { View } from "./view.ts";

const REQUESTS = "/v2/workspace/requests";
const DOCUMENTS = "/v2/organizations/documents/figures/get";
const DOCUMENT = "/v2/organizations/documents/get";
const DOCUMENT_READS = ["/v2/activities/get", DOCUMENT, DOCUMENTS];
const FOLDERS = "/v2/organizations/folders/get";
const ORGANIZATION = "/v2/organizations/get";
/** Reads the parts of a user's page, and those of an inbox. */
const USER_READS = ["data/deletions", "data", "documents", "figures"].map((name) => `/v2/users/${name}/get`);
const INBOX_READS = ["config/documents/get", "config/get", "get"].map((name) => `/v2/notifications/${name}`);
/** Reads the names of documents in two organizations, and of groups. */
const PLACE_READS = [DOCUMENT, DOCUMENT, "/v2/organizations/usergroups/get"];
/** Reads the organizations of a page's select. */
const SELECT = "/v2/workspace/organizations/get";
/** Reads for how long the page's records are kept. */
const RETENTION = "/v2/workspace/retention/get";
/** The organization and document that examples/team-day.ts writes. */
const TEAM = "organization=team+engine";
const TEAM_DOCUMENT = `${TEAM}&document=src%2Fhttp`;
const ADA = encodeURIComponent("ada@example.com");

/** Every page, and every part of a page with its own URL, on the data that `fillWorkspace` stores. */
export const VIEWS: View[] = [
  {
    path: "/overview",
    heading: "Overview",
    // Both examples add an activity for each commit.
    shows: [
      ...[`Activities (24 hours)\n${2 * COMMIT_COUNT}\n`, "Active users (30 days)\n3\n", "Organizations\n2\n"],
      ...["Registered users\n3\n", `: ${NEWEST_SUBJECT}`],
      ...["Disabled organizations and documents are not counted.", "Failing webhooks", "Last backup\nNone"],
    ],
    requests: [DOCUMENT, DOCUMENT, "/v2/workspace/activities/get", SELECT, "/v2/workspace/overview/get"],
  },
  {
    path: "/activities",
    heading: "Activities",
    shows: [NEWEST_SUBJECT, "git / engine", "team engine / engine: src/http"],
    requests: [DOCUMENT, DOCUMENT, "/v2/workspace/activities/get", SELECT, RETENTION],
  },
  {
    path: "/activities?organization=git",
    heading: "Activities",
    shows: [`Ada Lovelace: ${NEWEST_SUBJECT}`, "Grace Hopper: Limit the body of a request"],
    requests: ["/v2/activities/actiontypes/get", "/v2/activities/get", DOCUMENT, SELECT, RETENTION],
  },
  {
    path: "/organizations",
    heading: "Organizations",
    shows: ["2 organizations", "git", "team engine", /just now|\d+ minutes? ago/],
    requests: ["/v2/workspace/organizations/get"],
  },
  {
    path: `/organizations?${TEAM}`,
    heading: "team engine",
    shows: ["engine: src/http", "Disable…"],
    requests: [DOCUMENTS, ORGANIZATION],
  },
  {
    path: `/organizations?${TEAM}&tab=users`,
    heading: "team engine",
    shows: ["Ada Lovelace", "alan@example.com"],
    requests: [ORGANIZATION, "/v2/users/figures/get"],
  },
  {
    path: `/organizations?${TEAM}&tab=groups`,
    heading: "team engine",
    shows: ["top level", "2 members"],
    requests: [ORGANIZATION, "/v2/organizations/usergroups/get"],
  },
  {
    path: "/people",
    heading: "People",
    shows: ["3 users in all organizations", "Ada Lovelace", "alan@example.com", "team engine"],
    requests: [SELECT, "/v2/workspace/users/figures/get"],
  },
  {
    path: `/people?${TEAM}`,
    heading: "People",
    shows: ["3 users", "Ada Lovelace", "alan@example.com"],
    requests: [SELECT, "/v2/users/figures/get"],
  },
  {
    path: `/people?user=${ADA}`,
    heading: "Ada Lovelace",
    shows: [
      ...["ada@example.com", "Inbox", "In team engine", "Recent activity", "Organizations", "Data in team engine"],
      /activities\t3\t/,
    ],
    requests: [...USER_READS, ...PLACE_READS, SELECT, "/v2/workspace/activities/get", "/v2/workspace/users/get"],
  },
  {
    path: "/deletions",
    heading: "Deletions",
    shows: ["nobody", "in team engine", "by token first", "0 records deleted"],
    requests: ["/v2/users/data/deletions/get", SELECT],
  },
  {
    path: `/notifications?${TEAM}`,
    heading: "Notifications",
    shows: [
      ...["Notifications in team engine", "triggerNotification: true", "to Ada Lovelace", "unread"],
      "Grace Hopper changed src/http/server.ts, which you have changed too",
    ],
    requests: [DOCUMENT, "/v2/organizations/notifications/get", SELECT, RETENTION],
  },
  {
    path: `/notifications?${TEAM_DOCUMENT}`,
    heading: "Notifications",
    shows: ["Grace Hopper changed src/http/server.ts, which you have changed too", "to Ada Lovelace", "unread"],
    requests: [DOCUMENT, "/v2/notifications/get", "/v2/users/figures/get", SELECT, RETENTION],
  },
  {
    path: `/notifications?${TEAM}&user=${ADA}`,
    heading: "Notifications",
    shows: [
      ...["Ada Lovelace's inbox in team engine", "Grace Hopper changed src/http/server.ts, which you have changed too"],
      "Preferences for documents",
    ],
    requests: [...INBOX_READS, DOCUMENT, SELECT, RETENTION, "/v2/workspace/users/get"],
  },
  {
    path: "/recordings?organization=git",
    heading: "Recordings",
    shows: ["Recordings in git", "A walk through the engine", "walk.mp4", "00:01:30"],
    requests: [DOCUMENT, SELECT, "/v2/recordings/get"],
  },
  {
    path: "/documents",
    heading: "Documents",
    shows: ["documents in all organizations", "src/http", "team engine"],
    requests: [SELECT, "/v2/workspace/documents/figures/get"],
  },
  {
    path: `/documents?${TEAM}`,
    heading: "Documents",
    shows: ["engine: src/http", "No folders yet."],
    requests: [DOCUMENTS, FOLDERS, SELECT],
  },
  {
    path: "/documents?organization=git&folder=plans",
    heading: "Documents",
    shows: ["in Architecture", "1 subfolder", "roadmap"],
    // The tree reads the top level and each open folder, of which the page shows one as well.
    requests: [DOCUMENTS, FOLDERS, FOLDERS, FOLDERS, SELECT],
  },
  {
    path: `/documents?${TEAM}&document=notes+of+the+day&editor=notes`,
    heading: "notes",
    shows: ["- Ada Lovelace: 3 commits in"],
    requests: ["/v2/crdt/get", "/v2/crdt/versions/list", SELECT],
  },
  {
    path: "/documents?organization=git&document=engine",
    heading: "engine",
    shows: [
      ...["outside of any folder", "Ada Lovelace: Shall it stop at once?", "Grace Hopper: It answers first."],
      ...["Open", "2 comments"],
    ],
    requests: [...DOCUMENT_READS, "/v2/commentannotations/get", SELECT],
  },
  {
    path: `/documents?${TEAM}&document=notes+of+the+day&tab=content`,
    heading: "notes of the day",
    shows: ["Editors", "- Ada Lovelace: 3 commits in"],
    requests: [...DOCUMENT_READS, "/v2/crdt/get", SELECT],
  },
  {
    path: "/documents?organization=git&document=roadmap&tab=access",
    heading: "roadmap",
    shows: [
      "Restricted, defined by folder Plans",
      "grace@example.com",
      "viewer through folder Plans, until Jan 1, 2100",
    ],
    requests: [...DOCUMENT_READS, "/v2/auth/permissions/explain", FOLDERS, SELECT],
  },
  {
    path: `/presence?${TEAM}`,
    heading: "Presence",
    shows: ["Users online or away in team engine", "Ada Lovelace", "in engine: src/http", "online"],
    requests: [DOCUMENT, SELECT, "/v2/organizations/presence/get"],
  },
  {
    path: `/presence?${TEAM_DOCUMENT}`,
    heading: "Presence",
    shows: ["Ada Lovelace", "online"],
    requests: [DOCUMENT, SELECT, "/v2/presence/get"],
  },
  {
    path: "/webhooks",
    heading: "Webhooks",
    shows: ["Webhooks: on", "https://acme.example/webhooks", "no deliveries yet", "triggerNotification: true"],
    requests: [
      ...["deliveries/figures/get", "endpoints/get"].map((name) => `/v2/workspace/advancedwebhook/${name}`),
      "/v2/workspace/advancedwebhookconfig/get",
    ],
  },
  {
    path: "/requests?operation=/v2/activities/add",
    heading: "Request log",
    shows: ["/v2/activities/add", "OK", "auth token first", "0 of", "failed (0%)", "Kept for 30 days."],
    requests: ["/v2/workspace/authtokens/get", SELECT, RETENTION, `${REQUESTS}/get`, `${REQUESTS}/statistics/get`],
  },
  ...SETTINGS_VIEWS,
  {
    path: "/mails",
    heading: "Mails",
    shows: [
      ...["grace@example.com", "Test mail", "Sent", "Kept for 30 days."],
      "It is in the outbox, because no mail server is configured.",
    ],
    requests: [DOCUMENT, SELECT, RETENTION, "/v2/workspace/mails/get"],
  },
  {
    path: "/outbox",
    heading: "Outbox",
    shows: ["to grace@example.com"],
    requests: ["/v2/workspace/outbox/get"],
  },
  {
    path: "/api",
    heading: "API",
    shows: ["Add activities"],
    requests: [],
  },
  {
    path: "/api?operation=/v2/activities/add&search=activities",
    heading: "API",
    title: "API: Add activities",
    shows: ["x-service-api-key: colloquy_key_"],
    requests: [],
  },
];

/** Names of all pages, in the order of the navigation. */
export const PAGES = [...new Set(VIEWS.map(({ path }) => path.replace(/^\/|\?.*/g, "")))];

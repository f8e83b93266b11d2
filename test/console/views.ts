import type { TestService, TestWorkspace } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { COMMIT_COUNT, NEWEST_SUBJECT, runExamples } from "./repository.ts";

export interface View {
  /** Behind the workspace's id. */
  address: string;
  heading: string;
  /** True of what is stored, and seen there. */
  sees: (string | RegExp)[];
  /** What the page asks for beside the list of workspaces: one request for each panel or choice on it. */
  asks: string[];
}

const ORGANIZATIONS = "/v2/organizations/get";
/** As the example of the day names it. */
const TEAM = "organization=team+engine";
const TEAM_DOCUMENT = `${TEAM}&document=src%2Fhttp`;
const ADA = encodeURIComponent("ada@example.com");
const FILM = { url: "https://files.example.com/walk.mp4", mimeType: "video/mp4", name: "walk.mp4" };

/** Every page, and every part of one that has an address, on what `fillWorkspace` has stored. */
export const VIEWS: View[] = [
  {
    address: "/overview",
    heading: "Overview",
    // Each commit once by the history and once by the day.
    sees: [`Activities today (UTC)\n${2 * COMMIT_COUNT}\n`, "Organizations\n2\n", `: ${NEWEST_SUBJECT}`, "People\n3\n"],
    asks: ["/v2/workspace/activities/get", "/v2/workspace/overview/get"],
  },
  {
    address: "/activities?organization=git",
    heading: "Activities",
    sees: [`Ada Lovelace: ${NEWEST_SUBJECT}`, "Grace Hopper: Limit the body of a request"],
    asks: ["/v2/activities/get", ORGANIZATIONS],
  },
  {
    address: "/organizations",
    heading: "Organizations",
    sees: ["git\nteam engine"],
    asks: [ORGANIZATIONS],
  },
  {
    address: `/organizations?${TEAM}`,
    heading: "team engine",
    sees: ["engine: src/http", "Disable…"],
    asks: ["/v2/organizations/documents/get", ORGANIZATIONS],
  },
  {
    address: `/organizations?${TEAM}&tab=people`,
    heading: "team engine",
    sees: ["Ada Lovelace", "alan@example.com"],
    asks: [ORGANIZATIONS, "/v2/users/get"],
  },
  {
    address: `/organizations?${TEAM}&tab=groups`,
    heading: "team engine",
    sees: ["top level", "2 members"],
    asks: [ORGANIZATIONS, "/v2/organizations/usergroups/get"],
  },
  {
    address: "/people",
    heading: "People",
    sees: ["/v2/users/add"],
    asks: [],
  },
  {
    address: `/people?user=${ADA}`,
    heading: "People",
    sees: ["Known in", "Stored in team engine", /activities\t3\t/],
    asks: [ORGANIZATIONS, "/v2/users/data/get", "/v2/workspace/users/get"],
  },
  {
    address: `/notifications?${TEAM_DOCUMENT}`,
    heading: "Notifications",
    sees: ["changed src/http/server.ts, as you did"],
    asks: ["/v2/notifications/get", ORGANIZATIONS],
  },
  {
    address: `/notifications?${TEAM}&user=${ADA}`,
    heading: "Notifications",
    sees: ["In the list of ada@example.com", "Grace Hopper changed src/http/server.ts, as you did"],
    asks: ["/v2/notifications/config/get", "/v2/notifications/get", ORGANIZATIONS],
  },
  {
    address: "/recordings?organization=git",
    heading: "Recordings",
    sees: ["A walk through the engine", "walk.mp4", "00:01:30"],
    asks: [ORGANIZATIONS, "/v2/recordings/get"],
  },
  {
    address: `/documents?${TEAM}`,
    heading: "Documents",
    sees: ["engine: src/http"],
    asks: ["/v2/organizations/documents/get", ORGANIZATIONS],
  },
  {
    address: `/documents?${TEAM}&document=notes+of+the+day&editor=notes`,
    heading: "Documents",
    sees: ["- Ada Lovelace: 3 commits in"],
    asks: ["/v2/crdt/get", ORGANIZATIONS],
  },
  {
    address: "/documents?organization=git&document=engine",
    heading: "Documents",
    sees: ["Ada Lovelace: Shall it stop at once?", "Grace Hopper: It answers first.", "Open", "2 comments"],
    asks: ["/v2/commentannotations/get", "/v2/crdt/get", ORGANIZATIONS],
  },
  {
    address: `/presence?${TEAM_DOCUMENT}`,
    heading: "Presence",
    sees: ["Ada Lovelace", "online"],
    asks: [ORGANIZATIONS, "/v2/presence/get"],
  },
  {
    address: "/settings",
    heading: "Settings",
    sees: ["Adding activities: On"],
    asks: ["/v2/workspace/activityconfig/get"],
  },
  {
    address: "/settings?tab=email",
    heading: "Settings",
    sees: ["Send a test mail"],
    asks: ["/v2/workspace/emailconfig/get"],
  },
  {
    address: "/settings?tab=domains",
    heading: "Settings",
    sees: ["app.example.com"],
    asks: ["/v2/workspace/domains/get"],
  },
  {
    address: "/settings?tab=tokens",
    heading: "Settings",
    sees: ["first", "last used just now"],
    asks: ["/v2/workspace/authtokens/get"],
  },
  {
    address: "/settings?tab=sessions",
    heading: "Settings",
    sees: ["Test Browser/1.0", /this one/i],
    asks: ["/v2/workspace/sessions/get"],
  },
  {
    address: "/outbox",
    heading: "Outbox",
    sees: ["to grace@example.com"],
    asks: ["/v2/workspace/outbox/get"],
  },
  {
    address: "/api",
    heading: "API",
    sees: ["Add activities"],
    asks: [],
  },
  {
    address: "/api?operation=/v2/activities/add",
    heading: "API",
    sees: ["x-service-api-key: colloquy_key_"],
    asks: [],
  },
];

/** A workspace of the owner with something on every page. */
export async function fillWorkspace(service: TestService, owner: string): Promise<TestWorkspace> {
  const workspace = await ownedWorkspace(service, owner);
  await runExamples(workspace, service.address);
  const place = { organizationId: "git", documentId: "engine" };
  await workspace.data("/v2/recordings/add", {
    ...place,
    recordings: [
      {
        displayName: "A walk through the engine",
        from: { userId: "ada@example.com", name: "Ada Lovelace" },
        recordedTime: { duration: 90, display: "00:01:30" },
        attachments: [FILM],
      },
    ],
  });
  await workspace.data("/v2/commentannotations/add", {
    ...place,
    commentAnnotations: [
      {
        assignedTo: { userId: "grace@example.com", name: "Grace Hopper" },
        commentData: [
          { from: { userId: "ada@example.com", name: "Ada Lovelace" }, commentText: "Shall it stop at once?" },
          { from: { userId: "grace@example.com", name: "Grace Hopper" }, commentText: "It answers first." },
        ],
      },
    ],
  });
  await workspace.data("/v2/workspace/domains/add", { domains: ["app.example.com"] });
  await workspace.data("/v2/workspace/email/send-test-mail", { email: "grace@example.com" });
  return workspace;
}

import type { Api } from "../src/operations.ts";
import { commitActivitiesOf, messageOf } from "./commit-activity.ts";
import { readNotes, type Team } from "./play-day.ts";
import { listed, oneLine, rule, wrap } from "./terminal.ts";

const SHOWN_NOTIFICATIONS = 5;
const SHOWN_ACTIVITIES = 4;

type Notification = Api["/v2/notifications/get"]["response"][number];

/** What `userId` sees, read back through the API, in 80 columns. `quietIn` is a document they may have silenced. */
export async function printPerson(team: Team, userId: string, documentId: string, quietIn: string): Promise<void> {
  const { user, present, groups, configs, notifications, feed } = await readView(team, userId, documentId, quietIn);
  const name = user[0]?.name ?? userId;
  console.log(`\n${oneLine(name === userId ? name : `${name} <${userId}>`)}\n${rule("─")}`);
  const own = groups.filter(({ userIds }) => userIds.includes(userId)).map(({ groupName }) => groupName);
  console.log(wrap("Groups    ", listed(own) || "none"));
  console.log(
    wrap(
      "Hears of  ",
      describeConfigs(
        configs.map(({ config }) => config.inbox),
        quietIn,
      ),
    ),
  );
  const others = present.filter((other) => other.userId !== userId);
  const company = others.map((other) => (other.status === "online" ? other.name : `${other.name} (${other.status})`));
  console.log(wrap("Is in     ", `${documentId}, ${company.length > 0 ? `with ${listed(company)}` : "alone"}`));

  console.log(notifications.data.length > 0 ? "\n  Notifications, the newest first" : "\n  No notifications");
  for (const notification of notifications.data) {
    console.log(oneLine(`    ${headlineOf(notification)}`));
    console.log(oneLine(`      ${notification.displayBodyMessage ?? ""}`));
  }
  if (notifications.pageToken) console.log("    … and more");

  console.log(`\n${oneLine(`  Feed of ${documentId}`)}`);
  for (const activity of commitActivitiesOf(feed.data)) console.log(oneLine(`    ${messageOf(activity)}`));
  if (feed.pageToken) console.log("    … and more");
}

/** The shared text, the same for everybody. */
export async function printNotes(team: Team): Promise<void> {
  console.log(`\nThe notes that they wrote together\n${rule("─")}`);
  for (const line of (await readNotes(team)).trimEnd().split("\n")) console.log(wrap("", line));
}

/** Reads all that the service tells one user who has this document open. */
async function readView(team: Team, userId: string, documentId: string, quietIn: string) {
  const { organizationId } = team;
  const config = "/v2/notifications/config/get";
  const [user, present, groups, general, silenced, notifications, feed] = await Promise.all([
    team.call("/v2/users/get", { organizationId, userIds: [userId] }),
    team.call("/v2/presence/get", { organizationId, documentId }),
    team.call("/v2/organizations/usergroups/get", { organizationId }),
    team.call(config, { organizationId, userId, getOrganizationConfig: true }),
    team.call(config, { organizationId, userId, documentIds: [quietIn] }),
    team.read("/v2/notifications/get", { organizationId, userId, pageSize: SHOWN_NOTIFICATIONS }),
    team.read("/v2/activities/get", { organizationId, documentId, pageSize: SHOWN_ACTIVITIES }),
  ]);
  return { user, present, groups, configs: [...general, ...silenced], notifications, feed };
}

function describeConfigs([general, silenced]: string[], quietIn: string): string {
  const levels = new Map([
    ["ALL", "everything that is for everybody"],
    ["MINE", "only what names them (MINE)"],
    ["NONE", "nothing (NONE)"],
  ]);
  const everywhere = levels.get(general ?? "ALL") ?? general;
  return silenced === general ? `${everywhere}` : `${everywhere}; in ${quietIn}: ${levels.get(silenced ?? "ALL")}`;
}

function headlineOf({ displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData }: Notification): string {
  const values = new Map<string, string | { name: string }>(Object.entries(displayHeadlineMessageTemplateData ?? {}));
  return (displayHeadlineMessageTemplate ?? "").replace(/\{(\w+)\}/g, (placeholder, variable) => {
    const value = values.get(variable);
    return (typeof value === "object" ? value.name : value) ?? placeholder;
  });
}

import { type CommitActivity, messageOf } from "./commit-activity.ts";
import { readNotes, type Team } from "./play-day.ts";
import { listed, oneLine, rule, wrap } from "./terminal.ts";

const SHOWN_NOTIFICATIONS = 5;
const SHOWN_ACTIVITIES = 4;

interface Notification {
  displayHeadlineMessageTemplate: string;
  displayHeadlineMessageTemplateData: Record<string, string | { name: string }>;
  displayBodyMessage: string;
  metadata: { documentId: string };
}

/** The newest of a list, and whether there is more. */
interface Page<Item> {
  data: Item[];
  pageToken?: string;
}

/** All that the service tells one person who has this document open. */
interface View {
  user: { userId: string; name: string }[];
  present: { userId: string; name?: string; status: string }[];
  groups: { groupName: string; userIds: string[] }[];
  configs: { config: { inbox: string } }[];
  notifications: Page<Notification>;
  feed: Page<CommitActivity>;
}

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
    console.log(oneLine(`      ${notification.displayBodyMessage}`));
  }
  if (notifications.pageToken) console.log("    … and more");

  console.log(`\n${oneLine(`  Feed of ${documentId}`)}`);
  for (const activity of feed.data) console.log(oneLine(`    ${messageOf(activity)}`));
  if (feed.pageToken) console.log("    … and more");
}

/** The shared text, the same for everybody. */
export async function printNotes(team: Team): Promise<void> {
  console.log(`\nThe notes that they wrote together\n${rule("─")}`);
  for (const line of (await readNotes(team)).trimEnd().split("\n")) console.log(wrap("", line));
}

async function readView(team: Team, userId: string, documentId: string, quietIn: string): Promise<View> {
  const config = "/v2/notifications/config/get";
  const [user, present, groups, general, silenced, notifications, feed] = await Promise.all([
    team.call("/v2/users/get", { userIds: [userId] }),
    team.call("/v2/presence/get", { documentId }),
    team.call("/v2/organizations/usergroups/get", {}),
    team.call(config, { userId, getOrganizationConfig: true }),
    team.call(config, { userId, documentIds: [quietIn] }),
    team.read("/v2/notifications/get", { userId, pageSize: SHOWN_NOTIFICATIONS }),
    team.read("/v2/activities/get", { documentId, pageSize: SHOWN_ACTIVITIES }),
  ]);
  const configs = [general, silenced].flat();
  return asView({ user, present, groups, configs, notifications, feed });
}

/** Holds because each part is the answer of an operation, to what this example alone has written. */
function asView(parts: { [Part in keyof View]: unknown }): View {
  return parts as View;
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
  const values = new Map(Object.entries(displayHeadlineMessageTemplateData));
  return displayHeadlineMessageTemplate.replace(/\{(\w+)\}/g, (placeholder, variable) => {
    const value = values.get(variable);
    return (typeof value === "object" ? value.name : value) ?? placeholder;
  });
}

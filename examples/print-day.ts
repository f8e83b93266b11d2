import type { Api } from "../src/operations.ts";
import { getMessage } from "./commit-activity.ts";
import { fillTemplate } from "./template.ts";
import { rule, truncate, wrap } from "./terminal.ts";
import { type OrganizationClient, readNotes } from "./write-day.ts";

const PRINTED_NOTIFICATIONS = 5;
const PRINTED_ACTIVITIES = 4;

type Notification = Api["/v2/notifications/get"]["response"][number];

/** What the service shows a user who has a document open. */
interface View {
  userId: string;
  documentId: string;
  /** Document for which the user may have a preference of its own. */
  mutedDocumentId: string;
}

/** Reads what the service shows a user, and prints it in 80 columns. */
export async function printUser(client: OrganizationClient, view: View): Promise<void> {
  const { userId, documentId, mutedDocumentId } = view;
  const { user, present, groups, preferences, notifications, feed } = await readView(client, view);
  const name = user?.name ?? userId;
  console.log(`\n${truncate(name === userId ? name : `${name} <${userId}>`)}\n${rule("─")}`);
  const ownGroups = groups.filter(({ userIds = [] }) => userIds.includes(userId)).map(({ groupName }) => groupName);
  console.log(wrap("Groups      ", ownGroups.join(", ") || "none"));
  console.log(
    wrap(
      "Preferences ",
      describePreferences(
        preferences.map(({ config }) => config.inbox),
        mutedDocumentId,
      ),
    ),
  );
  const others = present
    .filter((other) => other.userId !== userId)
    .map(({ name = "?", status }) => (status === "online" ? name : `${name} (${status})`));
  console.log(wrap("Present in  ", `${documentId}, ${others.length > 0 ? `with ${others.join(", ")}` : "alone"}`));

  console.log(notifications.data.length > 0 ? "\n  Inbox, newest first" : "\n  Inbox is empty");
  for (const notification of notifications.data) {
    console.log(truncate(`    ${getHeadline(notification)}`));
    console.log(truncate(`      ${notification.displayBodyMessage ?? ""}`));
  }
  if (notifications.pageToken) console.log("    … and more");

  console.log(`\n${truncate(`  Feed of ${documentId}, newest first`)}`);
  for (const activity of feed.data) console.log(truncate(`    ${getMessage(activity)}`));
  if (feed.pageToken) console.log("    … and more");
}

/** Prints the text that all authors have written together. */
export async function printNotes(client: OrganizationClient): Promise<void> {
  console.log(`\nShared notes\n${rule("─")}`);
  for (const line of (await readNotes(client)).trimEnd().split("\n")) console.log(wrap("", line));
}

async function readView(client: OrganizationClient, { userId, documentId, mutedDocumentId }: View) {
  const { organizationId } = client;
  const getConfig = "/v2/notifications/config/get";
  const [users, present, groups, general, documentPreference, notifications, feed] = await Promise.all([
    client.call("/v2/users/get", { organizationId, userIds: [userId] }),
    client.call("/v2/presence/get", { organizationId, documentId }),
    client.call("/v2/organizations/usergroups/get", { organizationId }),
    client.call(getConfig, { organizationId, userId, getOrganizationConfig: true }),
    client.call(getConfig, { organizationId, userId, documentIds: [mutedDocumentId] }),
    client.read("/v2/notifications/get", { organizationId, userId, pageSize: PRINTED_NOTIFICATIONS }),
    client.read("/v2/activities/get", { organizationId, documentId, pageSize: PRINTED_ACTIVITIES }),
  ]);
  const [user] = Array.isArray(users) ? users : [];
  return { user, present, groups, preferences: [...general, ...documentPreference], notifications, feed };
}

function describePreferences([general = "ALL", documentPreference = "ALL"]: string[], mutedDocumentId: string): string {
  const meanings = new Map([
    ["ALL", "all notifications (ALL)"],
    ["MINE", "only notifications that name the user (MINE)"],
    ["NONE", "no notifications (NONE)"],
  ]);
  const everywhere = meanings.get(general) ?? general;
  return documentPreference === general
    ? everywhere
    : `${everywhere}; in ${mutedDocumentId} ${meanings.get(documentPreference)}`;
}

function getHeadline({ displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData }: Notification): string {
  return fillTemplate(displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData);
}

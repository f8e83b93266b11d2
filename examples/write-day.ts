import type { Api } from "../src/operations.ts";
import { CallError, call, type Result, type Service } from "./client.ts";
import { getSubject, toActivity } from "./commit-activity.ts";
import { type Author, type Change, type Day, getGroups } from "./day.ts";
import { formatCount } from "./terminal.ts";

/** Below the limits of a request: 2 MiB and 100,000 values, of which a changed file has three in 32 bytes or more. */
const MAX_ACTIVITY_BYTES = 1024 * 1024;
const MAX_RECIPIENTS = 1000;
const NAMED_DOCUMENTS = 4;

export const NOTES = { documentId: "notes of the day", editorId: "notes" };

/** Calls operations for one organization and counts the calls. */
export class OrganizationClient {
  readonly organizationId: string;
  readonly #service: Service;
  calls = 0;

  constructor(service: Service, organizationId: string) {
    this.#service = service;
    this.organizationId = organizationId;
  }

  /** Returns the `result` of a call. */
  read<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<Result<Path>> {
    this.calls += 1;
    return call(this.#service, path, data);
  }

  /** Returns the `result.data` of a call. */
  async call<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<Api[Path]["response"]> {
    return (await this.read(path, data)).data;
  }
}

/** An author who receives only notifications that name them, and none from one document. */
export interface Muted {
  author: Author;
  documentId: string;
}

/** Creates the users, groups, documents and notification preferences. */
export async function createTeam(client: OrganizationClient, name: string, day: Day, muted: Muted): Promise<void> {
  const { organizationId } = client;
  const users = day.authors.map(({ userId, name, email }) => ({ userId, name, email, accessRole: "editor" as const }));
  const documents = day.documentIds.map((documentId) => ({ documentId, documentName: `${name}: ${documentId}` }));
  await client.call("/v2/organizations/documents/add", { organizationId, documents });
  await client.call("/v2/users/add", { organizationId, users });
  const groups = getGroups(day.authors);
  if (groups.size > 0) {
    const organizationUserGroups = [...groups.keys()].map((folder) => ({ groupId: folder, groupName: folder }));
    await client.call("/v2/organizations/usergroups/add", { organizationId, organizationUserGroups });
  }
  for (const [organizationUserGroupId, members] of groups) {
    const userIds = members.map(({ userId }) => userId);
    await client.call("/v2/organizations/usergroups/users/add", { organizationId, organizationUserGroupId, userIds });
  }
  const preferences = { organizationId, userIds: [muted.author.userId] };
  const setConfig = "/v2/notifications/config/set";
  await client.call(setConfig, { ...preferences, config: { inbox: "MINE" } });
  await client.call(setConfig, { ...preferences, documentIds: [muted.documentId], config: { inbox: "NONE" } });
}

/** Writes each change: its author's presence, the activity and the notification. Returns where each author is last. */
export async function writeChanges(client: OrganizationClient, day: Day): Promise<Map<Author, string>> {
  const { organizationId } = client;
  const locations = new Map<Author, string>();
  for (const change of day.changes) {
    const { commit, author, documentId } = change;
    await moveTo(client, locations, author, documentId);
    const activity = toActivity(commit, documentId, MAX_ACTIVITY_BYTES);
    await client.call("/v2/activities/add", { organizationId, documentId, activities: [activity] });
    const isLargest = change === day.largest;
    if (change.affected.length > 0 || isLargest) await notify(client, change, isLargest);
  }
  // Authors without a change in the second half of the day are away.
  const active = new Set(day.changes.slice(Math.floor(day.changes.length / 2)).map(({ author }) => author));
  for (const [author, documentId] of locations) {
    if (!active.has(author)) await heartbeat(client, author, documentId, "away");
  }
  return locations;
}

async function moveTo(
  client: OrganizationClient,
  locations: Map<Author, string>,
  author: Author,
  documentId: string,
): Promise<void> {
  const { organizationId } = client;
  const previous = locations.get(author);
  // An earlier run of the example may have left the author in any of their documents.
  const left = previous === undefined ? [...author.documentIds] : [previous];
  for (const other of left) {
    if (other === documentId) continue;
    await client.call("/v2/presence/delete", { organizationId, documentId: other, userIds: [author.userId] });
  }
  await heartbeat(client, author, documentId, "online");
  locations.set(author, documentId);
}

async function heartbeat(
  client: OrganizationClient,
  { userId, name }: Author,
  documentId: string,
  status: "online" | "away",
): Promise<void> {
  const users = [{ userId, name: name.slice(0, 256).toWellFormed(), status }];
  await client.call("/v2/presence/add", { organizationId: client.organizationId, documentId, users });
}

/** Notifies the affected authors; of the largest change, all users whose preferences are not limited to their name. */
async function notify(client: OrganizationClient, change: Change, isLargest: boolean): Promise<void> {
  const { commit, author, documentId, affected, sharedFile } = change;
  const { userId, name, email } = author;
  await client.call("/v2/notifications/add", {
    organizationId: client.organizationId,
    documentId,
    notificationId: `commit-${commit.hash}`,
    actionUser: { userId, name, email },
    notifyUsers: affected.slice(0, MAX_RECIPIENTS).map((other) => ({ userId: other.userId, name: other.name })),
    notifyAll: isLargest,
    displayHeadlineMessageTemplate: isLargest
      ? "{actionUser} made the largest change of the day, {files}"
      : "{actionUser} changed {file}, which you have changed too",
    displayHeadlineMessageTemplateData: {
      actionUser: { userId, name },
      files: formatCount(commit.files.length, "file"),
      ...(sharedFile !== undefined && { file: sharedFile }),
    },
    displayBodyMessage: getSubject(commit),
  });
}

/** Replaces the shared text: each author adds a line. */
export async function writeNotes(client: OrganizationClient, name: string, day: Day): Promise<void> {
  const editor = { organizationId: client.organizationId, ...NOTES, type: "text" as const };
  const heading = `Notes of the day: ${name}\n`;
  try {
    await client.call("/v2/crdt/add", { ...editor, data: heading });
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== "ALREADY_EXISTS") throw error;
    await client.call("/v2/crdt/update", { ...editor, data: heading });
  }
  for (const { name: author, commits, documentIds } of day.authors) {
    const more = documentIds.size > NAMED_DOCUMENTS ? " and others" : "";
    const documents = [...documentIds].slice(0, NAMED_DOCUMENTS).join(", ");
    const line = `- ${author}: ${formatCount(commits, "commit")} in ${documents}${more}\n`;
    await client.call("/v2/crdt/update", { ...editor, data: (await readNotes(client)) + line.toWellFormed() });
  }
}

export async function readNotes(client: OrganizationClient): Promise<string> {
  const [editor] = await client.call("/v2/crdt/get", { organizationId: client.organizationId, ...NOTES });
  return String(editor?.data ?? "");
}

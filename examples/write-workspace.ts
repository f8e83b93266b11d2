import type { Api } from "../src/operations.ts";
import { CallError } from "./client.ts";
import type { Day } from "./day.ts";
import {
  CUSTOMERS,
  type Customer,
  DOMAIN,
  EDITOR,
  FOLDERS,
  ORGANIZATION_NAME,
  READER,
  RECORDINGS,
  THREADS,
  WEBHOOK,
} from "./harbor.ts";
import type { OrganizationClient } from "./write-day.ts";

type NewActivity = Api["/v2/activities/add"]["request"]["activities"][number];

interface User {
  userId: string;
  name: string;
}

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WORKING_HOURS = 9;
/** Number of activities on each of the days before today, yesterday first. */
const EARLIER_DAYS = [11, 16, 9, 4, 2, 13, 15, 12, 10, 3, 2, 8];
const KINDS = [
  { featureType: "custom", actionType: "document.edit", verb: "edited" },
  { featureType: "comment", actionType: "comment.add", verb: "commented on" },
  { featureType: "custom", actionType: "document.edit", verb: "edited" },
  { featureType: "reaction", actionType: "reaction.add", verb: "liked a comment on" },
  { featureType: "recorder", actionType: "recording.add", verb: "recorded a walk through" },
] as const;

/**
 * Completes the workspace of the invented team: folders, threads, recordings, a collaborative document, read
 * notifications, the activities of the days before, two more organizations, a domain, a webhook and a mail. A second
 * run changes nothing.
 */
export async function writeWorkspace(client: OrganizationClient, { authors, documentIds }: Day): Promise<void> {
  const users = new Map(authors.map(({ userId, name }) => [userId, { userId, name }]));
  await writeFolders(client);
  await writeThreads(client, users);
  await writeRecordings(client, users);
  await writeSettings(client);
  const { organizationId } = client;
  await client.call("/v2/crdt/add", { organizationId, ...EDITOR }).catch(expectReason("already_exists"));
  await client.call("/v2/notifications/read", { organizationId, userId: READER, persistReadForUsers: true });
  await writeEarlierDays(client, organizationId, [...users.values()], documentIds);
  for (const customer of CUSTOMERS) await writeCustomer(client, customer);
  const names = [{ organizationId, organizationName: ORGANIZATION_NAME }, ...CUSTOMERS].map(
    ({ organizationId: id, organizationName }) => ({ organizationId: id, organizationName }),
  );
  await client.call("/v2/organizations/update", { organizations: names });
}

async function writeFolders(client: OrganizationClient): Promise<void> {
  const { organizationId } = client;
  const folders = FOLDERS.map(({ folderId, folderName }) => ({ folderId, folderName }));
  await client.call("/v2/organizations/folders/add", { organizationId, folders });
  for (const { folderId, documentIds } of FOLDERS) {
    await client.call("/v2/organizations/documents/move", { organizationId, documentIds, folderId });
  }
}

async function writeThreads(client: OrganizationClient, users: Map<string, User>): Promise<void> {
  const { organizationId } = client;
  for (const [number, { documentId, annotationId, place, status, assignedTo, comments }] of THREADS.entries()) {
    const scope = { organizationId, documentId };
    const getAge = (index: number) => (THREADS.length - number) * HOUR_MS + (comments.length - index) * 5 * MINUTE_MS;
    const commentData = comments.map(({ from, text }, index) => ({
      commentId: index + 1,
      from: getUser(users, from),
      commentText: text,
      createdAt: Date.now() - getAge(index),
    }));
    const annotation = {
      annotationId,
      location: { id: annotationId, locationName: place },
      ...(status && { status: { type: status } }),
      ...(assignedTo !== undefined && { assignedTo: getUser(users, assignedTo) }),
      createdAt: Date.now() - getAge(0),
      commentData,
    };
    await client.call("/v2/commentannotations/add", { ...scope, commentAnnotations: [annotation] });
    for (const [index, { reaction, reactingUserIds = [] }] of comments.entries()) {
      for (const userId of reaction === undefined ? [] : reactingUserIds) {
        const comment = { ...scope, annotationId, commentId: index + 1 };
        await client.call("/v2/reactions/add", { ...comment, reaction: reaction ?? "", from: getUser(users, userId) });
      }
    }
  }
}

async function writeRecordings(client: OrganizationClient, users: Map<string, User>): Promise<void> {
  for (const { documentId, annotationId, from, displayName, seconds } of RECORDINGS) {
    const display = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const attachments = [{ url: `https://files.harbor.example/${annotationId}.mp4`, mimeType: "video/mp4" }];
    const recordedTime = { duration: seconds, display };
    const recording = { annotationId, from: getUser(users, from), displayName, recordedTime, attachments };
    const { organizationId } = client;
    await client.call("/v2/recordings/add", { organizationId, documentId, recordings: [recording] });
  }
}

/**
 * Allows a domain, creates a webhook endpoint, sends a mail unless the outbox has one, and makes a call that the
 * service rejects, for the request log.
 */
async function writeSettings(client: OrganizationClient): Promise<void> {
  await client.call("/v2/workspace/domains/add", { domains: [DOMAIN] }).catch(expectReason("domains_skipped"));
  await client.call("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  const create = "/v2/workspace/advancedwebhook/endpoints/create";
  await client.call(create, WEBHOOK).catch(expectReason("already_exists"));
  const mails = await client.call("/v2/workspace/outbox/get", { pageSize: 1 });
  if (mails.length === 0) await client.call("/v2/workspace/email/send-test-mail", { email: READER });
  // The request names neither a document nor a user.
  const { organizationId } = client;
  await client.call("/v2/notifications/get", { organizationId }).catch(expectReason("field_invalid"));
}

/** Returns a function that throws errors other than those for a reason. */
function expectReason(reason: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof CallError) || error.reason !== reason) throw error;
  };
}

async function writeCustomer(client: OrganizationClient, customer: Customer): Promise<void> {
  const { organizationId } = customer;
  const documents = Object.entries(customer.documents).map(([documentId, documentName]) => ({
    documentId,
    documentName,
  }));
  const users = Object.entries(customer.users).map(([email, name]) => ({
    ...{ userId: email, name, email },
    accessRole: "editor" as const,
  }));
  await client.call("/v2/organizations/documents/add", { organizationId, documents });
  await client.call("/v2/users/add", { organizationId, users });
  await writeEarlierDays(client, organizationId, users, Object.keys(customer.documents));
}

/** Writes activities of the days before today, with times in working hours that end at this time of the day. */
async function writeEarlierDays(
  client: OrganizationClient,
  organizationId: string,
  users: User[],
  documentIds: string[],
): Promise<void> {
  const now = Date.now();
  const byDocument = Map.groupBy(
    EARLIER_DAYS.flatMap((count, day) => Array.from({ length: count }, (_, index) => ({ day, index, count }))),
    ({ day, index }) => documentIds[(day + index) % documentIds.length] ?? "",
  );
  for (const [documentId, places] of byDocument) {
    const activities = places.map(({ day, index, count }): NewActivity => {
      const { verb, ...kind } = KINDS[(day + index) % KINDS.length] ?? KINDS[0];
      const user = users[(day * 2 + index) % users.length] ?? { userId: "unknown", name: "unknown" };
      const { userId, name } = user;
      return {
        ...kind,
        id: `${organizationId}-${day + 1}-${index + 1}`,
        timestamp: now - (day + 1) * DAY_MS - Math.floor((index / count) * WORKING_HOURS * HOUR_MS),
        actionUser: user,
        targetEntityId: documentId,
        displayMessageTemplate: `{{user}} ${verb} {{document}}`,
        displayMessageTemplateData: { user: { userId, name }, document: documentId },
      };
    });
    await client.call("/v2/activities/add", { organizationId, documentId, activities });
  }
}

function getUser(users: Map<string, User>, userId: string): User {
  return users.get(userId) ?? { userId, name: userId };
}

import { MESSAGES } from "../../../src/features/comments/triggers/messages.ts";
import type { TestWorkspace } from "../../harness.ts";
import { DOCUMENT_ID, EDITOR_ID, ORGANIZATION_ID, USERS, VIEWER } from "./users.ts";

function getUser(userId: string) {
  const user = USERS.find((each) => each.userId === userId);
  if (!user) throw new Error(`There is no user ${userId}.`);
  return user;
}

/** What calls operations of a workspace. */
export type Workspace = Pick<TestWorkspace, "data">;

const MINUTE_MS = 60_000;
const DOCUMENTS = [
  { documentId: "launch-plan", documentName: "Launch plan" },
  { documentId: "pricing", documentName: "Pricing page" },
  { documentId: "brand", documentName: "Brand guide" },
];

/** A comment: who wrote it, how many minutes ago, what, and whom it mentions. */
type SeededComment = [userId: string, minutes: number, text: string, mentioned?: string];

interface SeededThread {
  documentId: string;
  annotationId: string;
  /** Place of its pin. */
  point?: { x: number; y: number };
  comments: [SeededComment, ...SeededComment[]];
}

const THREADS: SeededThread[] = [
  {
    ...{ documentId: "launch-plan", annotationId: "date" },
    comments: [
      ["ada", 340, "Is Thursday still the date? Sales has announced it to three customers."],
      ["grace", 335, "Yes, if the import of old boards passes its tests by Tuesday."],
      ["alan", 20, "@Ada Lovelace the import is through. 41,000 boards, no difference.", "ada"],
    ],
  },
  {
    ...{ documentId: "launch-plan", annotationId: "help" },
    comments: [
      ["katherine", 190, "@Ada Lovelace could you review the translated help pages?", "ada"],
      ["ada", 120, "The German ones are done, the Japanese ones by tomorrow."],
    ],
  },
  {
    ...{ documentId: "pricing", annotationId: "tiers" },
    comments: [
      ["ada", 3000, "Two tiers or three?"],
      ["linus", 2900, "Three. The middle one is what most teams choose."],
      ["mary", 1600, "Three, and let the first one be free."],
    ],
  },
  {
    ...{ documentId: "brand", annotationId: "logo", point: { x: 0.72, y: 0.5 } },
    comments: [["grace", 55, "@Ada Lovelace which of these logos do you prefer on dark backgrounds?", "ada"]],
  },
  {
    ...{ documentId: "brand", annotationId: "color", point: { x: 0.3, y: 0.38 } },
    comments: [
      ["alan", 300, "Is this the violet of the website?"],
      ["ada", 290, "Yes, #4c3a9e."],
    ],
  },
  {
    ...{ documentId: "brand", annotationId: "claim", point: { x: 0.17, y: 0.78 } },
    comments: [["ada", 80, "The claim goes here, once it is final."]],
  },
];

/** Adds users, documents, threads, activities and notifications, which the stories show. */
export async function seed(workspace: Workspace): Promise<void> {
  const scope = { organizationId: ORGANIZATION_ID };
  await workspace.data("/v2/workspace/domains/add", { domains: ["localhost"] });
  await workspace.data("/v2/organizations/add", { organizations: [{ ...scope, organizationName: "Harbor" }] });
  const users = USERS.map((user) => ({ ...user, accessRole: "editor" as const }));
  await workspace.data("/v2/users/add", { ...scope, users });
  await workspace.data("/v2/organizations/documents/add", { ...scope, documents: DOCUMENTS });
  for (const thread of THREADS) await addThread(workspace, thread);
  await addResolution(workspace);
  await workspace.data("/v2/notifications/read", {
    ...{ ...scope, userId: VIEWER, documentId: "pricing", persistReadForUsers: true },
  });
  await addEarlierActivities(workspace);
  await workspace.data("/v2/notifications/config/set", {
    ...{ ...scope, userIds: [VIEWER], documentIds: ["pricing"], config: { inbox: "MINE", email: "NONE" } },
  });
  const present = USERS.map(({ userId, name }, index) => {
    return { userId, name, status: index === 2 ? ("away" as const) : ("online" as const) };
  });
  await addVersions(workspace);
  await workspace.data("/v2/presence/add", { ...scope, documentId: DOCUMENT_ID, users: present });
}

/** Adds a collaborative document with a named version and an automatic one. */
async function addVersions(workspace: Workspace): Promise<void> {
  const place = { organizationId: ORGANIZATION_ID, documentId: DOCUMENT_ID, editorId: EDITOR_ID };
  const content = (data: string, userId: string) => ({ ...place, type: "text" as const, data, userId });
  await workspace.data("/v2/crdt/add", content("The launch is on Thursday. Sales tells its customers.", "ada"));
  await workspace.data("/v2/crdt/versions/add", { ...place, name: "Approved" });
  await workspace.data("/v2/crdt/update", content("The launch is on Friday. Sales tells all customers.", "grace"));
}

async function addThread(
  workspace: Workspace,
  { documentId, annotationId, point, comments }: SeededThread,
): Promise<void> {
  const place = { organizationId: ORGANIZATION_ID, documentId };
  const [, firstMinutes] = comments[0];
  const commentData = comments.map(([userId, minutes, commentText, mentioned]) => {
    const taggedUserContacts = mentioned === undefined ? [] : [toTag(mentioned)];
    return { from: getUser(userId), createdAt: Date.now() - minutes * MINUTE_MS, commentText, taggedUserContacts };
  });
  const anchor = point && { anchor: { selector: "#board", ...point } };
  const createdAt = Date.now() - firstMinutes * MINUTE_MS;
  await workspace.data("/v2/commentannotations/add", {
    ...{ ...place, commentAnnotations: [{ annotationId, createdAt, commentData, ...anchor }] },
  });
  for (const [index, [userId, minutes, commentText, mentioned]] of comments.entries()) {
    const kind = index === 0 ? "comment_annotation.add" : "comment.add";
    const timestamp = Date.now() - minutes * MINUTE_MS;
    await addActivity(workspace, documentId, { userId, kind, timestamp });
    if (userId === VIEWER) continue;
    const notified = mentioned === VIEWER ? "comment.mention" : kind;
    await addNotification(workspace, documentId, { annotationId, userId, kind: notified, timestamp, commentText });
  }
}

async function addResolution(workspace: Workspace): Promise<void> {
  const record = { userId: "alan", kind: "comment_annotation.resolve", timestamp: Date.now() - 12 * MINUTE_MS };
  await workspace.data("/v2/commentannotations/update", {
    ...{ organizationId: ORGANIZATION_ID, documentId: DOCUMENT_ID, annotationIds: ["date"] },
    updatedData: { status: { id: "RESOLVED", name: "Resolved", type: "terminal" } },
  });
  await addActivity(workspace, DOCUMENT_ID, record);
  await addNotification(workspace, DOCUMENT_ID, { ...record, annotationId: "date", commentText: "" });
}

interface Happening {
  userId: string;
  kind: string;
  timestamp: number;
}

/** Adds the activity that a comment trigger would add, at a time of the past. */
async function addActivity(workspace: Workspace, documentId: string, { userId, kind, timestamp }: Happening) {
  const [key, template] = findMessage(`activity.${kind}`);
  const text = { displayMessageTemplate: template, displayMessageTemplateData: { user: getUser(userId) } };
  const activity = { featureType: "comment" as const, actionType: kind, actionUser: getUser(userId), timestamp };
  await workspace.data("/v2/activities/add", {
    ...{ organizationId: ORGANIZATION_ID, documentId },
    activities: [{ ...activity, ...text, messageKey: key }],
  });
}

/** Adds the notification that a comment trigger would add, at a time of the past. */
async function addNotification(
  workspace: Workspace,
  documentId: string,
  happening: Happening & { annotationId: string; commentText: string },
) {
  const { annotationId, userId, kind, timestamp, commentText } = happening;
  const [messageKey, displayHeadlineMessageTemplate] = findMessage(`notification.${kind}`);
  const document = DOCUMENTS.find((each) => each.documentId === documentId)?.documentName;
  await workspace.data("/v2/notifications/add", {
    ...{ organizationId: ORGANIZATION_ID, documentId, timestamp, messageKey, displayHeadlineMessageTemplate },
    displayHeadlineMessageTemplateData: { actionUser: getUser(userId), document, status: "Resolved" },
    ...{ actionUser: getUser(userId), notifyUsers: [{ userId: VIEWER }], notifyAll: false },
    ...{ notificationSource: "comment", notificationSourceData: { annotationId }, displayBodyMessage: commentText },
  });
}

function findMessage(messageKey: string): [key: string, template: string] {
  const message = Object.entries(MESSAGES).find(([key]) => key === messageKey);
  if (!message) throw new Error(`There is no message ${messageKey}.`);
  return message;
}

function toTag(userId: string) {
  const { name } = getUser(userId);
  return { text: `@${name}`, userId, contact: { userId, name } };
}

/** Adds activities of yesterday and last week. */
async function addEarlierActivities(workspace: Workspace): Promise<void> {
  const day = 24 * 60 * 60_000;
  const written = [
    ["grace", "{{actionUser}} changed the launch date to {{date}}", day],
    ["linus", "{{actionUser}} uploaded {{file}}", day + 60_000],
    ["linus", "{{actionUser}} uploaded {{file}}", day + 120_000],
    ["linus", "{{actionUser}} uploaded {{file}}", day + 180_000],
    ["mary", "{{actionUser}} created the document", 6 * day],
  ] as const;
  await workspace.data("/v2/activities/add", {
    ...{ organizationId: ORGANIZATION_ID, documentId: DOCUMENT_ID },
    activities: written.map(([userId, displayMessageTemplate, ago], index) => ({
      ...{ featureType: "custom" as const, actionType: displayMessageTemplate, targetEntityId: DOCUMENT_ID },
      ...{ actionUser: getUser(userId), displayMessageTemplate, timestamp: Date.now() - ago },
      displayMessageTemplateData: { date: "Thursday", file: `screens-${index}.png` },
    })),
  });
}

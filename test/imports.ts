import { runCommand } from "./command-line.ts";
import { startTestService, type TestWorkspace } from "./harness.ts";

export const service = await startTestService();
export const ENVIRONMENT = { DATABASE_URL: String(service.config.databaseUrl), SECRET_KEY: "5".repeat(64) };
export const ADA = { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" };
export const GRACE = { userId: "grace", name: "Grace Hopper", photoUrl: "https://example.com/grace.png" };
export const ACME = { organizationId: "acme" };
const POSITIONS = { start: "ALW0++0KFgA=", end: "ALW0++0KIEE=" };
/** An anchor whose passage is not in the document. */
const ANCHOR = { editorId: "body", ...POSITIONS, quote: { exact: "thirty days", prefix: "within ", suffix: "." } };
export const CONTRACT = { ...ACME, documentId: "contract" };
const YEAR_2020 = Date.UTC(2020, 0, 1);

/** Imports an export into the workspace. `counts` are the numbers of added, existing and refused records by kind. */
export async function runImport(workspace: TestWorkspace, path: string, ...options: string[]) {
  const args = ["import", path, "--workspace", workspace.id, "--json", ...options];
  const { stdout, ...ended } = await runCommand(args, ENVIRONMENT);
  return { ...ended, counts: JSON.parse(stdout || "{}") };
}

export const USER = { userId: "ada" };
export const COMMENT = { commentId: 1, from: USER };
export const ANNOTATION = { annotationId: "a", metadata: CONTRACT, comments: [COMMENT] };
export const ACTIVITY = {
  ...{ id: "x", featureType: "custom", actionType: "edit", actionUser: USER, targetEntityId: "e", metadata: CONTRACT },
};

/** Fills a workspace with something of every kind. */
export async function fillWithAllKinds(workspace: TestWorkspace): Promise<void> {
  const { id: __, ...organization } = { id: "", organizationName: "Acme", plan: { seats: 3 } };
  await workspace.data("/v2/organizations/add", { organizations: [{ ...ACME, ...organization }] });
  await workspace.data("/v2/organizations/folders/add", {
    ...ACME,
    folders: [
      { folderId: "b", folderName: "Private", accessType: "restricted" },
      { folderId: "a", folderName: "Inside", parentFolderId: "b" },
    ],
  });
  const documents = [{ documentId: "contract", documentName: "Contract", tags: ["x", null] }, { documentId: "plan" }];
  await workspace.data("/v2/organizations/documents/add", { ...ACME, folderId: "a", documents });
  const access = { ...ACME, documentIds: ["plan"], accessType: "public" as const };
  await workspace.data("/v2/organizations/documents/access/update", access);
  await workspace.data("/v2/users/add", { ...ACME, users: [ADA, { ...GRACE, team: "legal" }] });
  await workspace.data("/v2/users/add", { ...CONTRACT, users: [ADA] });
  await workspace.data("/v2/users/add", { ...ACME, folderId: "a", users: [{ ...GRACE, accessRole: "viewer" }] });
  await workspace.data("/v2/organizations/usergroups/add", {
    ...ACME,
    organizationUserGroups: [{ groupId: "legal", groupName: "Legal" }],
  });
  const members = { ...ACME, organizationUserGroupId: "legal", userIds: ["ada", "linus"] };
  await workspace.data("/v2/organizations/usergroups/users/add", members);
  await fillComments(workspace);
  await workspace.data("/v2/notifications/add", {
    ...CONTRACT,
    notificationId: "n1",
    timestamp: YEAR_2020,
    location: { id: "page-2", locationName: "Page 2" },
    metadata: { origin: "crm" },
    actionUser: ADA,
    notifyUsers: [GRACE, { userId: "linus" }],
    notifyAll: false,
    displayHeadlineMessageTemplate: "{actionUser} asks",
    displayBodyMessage: "Sign, please.",
  });
  const read = { id: "n1", readByUserIds: ["grace"] };
  await workspace.data("/v1/notifications/update", { ...CONTRACT, notifications: [read] });
  await workspace.data("/v2/notifications/archive", { ...ACME, userId: "linus" });
  const activity = { featureType: "custom" as const, actionType: "edit", actionUser: ADA, targetEntityId: "clause" };
  const activities = ["x", "y"].map((id) => ({ ...activity, id, timestamp: YEAR_2020, entityData: { "\u0000": [] } }));
  await workspace.data("/v2/activities/add", { ...CONTRACT, activities });
  await workspace.data("/v2/activities/add", { ...ACME, documentId: "plan", activities: [{ ...activity, id: "z" }] });
}

async function fillComments(workspace: TestWorkspace): Promise<void> {
  const agent = { agentSource: "external", agentId: "bot", agentName: "Bot" };
  const reason = { title: "Typo", description: "A typo.", severity: "low" as const };
  const dated = { from: ADA, createdAt: YEAR_2020 + 1, lastUpdated: YEAR_2020 + 2 };
  await workspace.data("/v2/commentannotations/add", {
    ...CONTRACT,
    commentAnnotations: [
      {
        ...{ annotationId: "resolved", createdAt: YEAR_2020, lastUpdated: YEAR_2020 + 5, positionX: 1.5 },
        ...{
          location: { id: "page-2", locationName: "Page 2" },
          priority: { id: "P1" },
          assignedTo: GRACE,
          pageInfo: { url: "u" },
        },
        commentData: [
          { ...dated, commentId: 7, commentText: "First", metadata: { draft: 1 } },
          { from: GRACE, commentId: 3, commentText: "@Ada", taggedUserContacts: [{ userId: "ada", text: "@Ada" }] },
        ],
      },
      {
        annotationId: "suggested",
        type: "suggestion",
        suggestion: { status: "rejected" },
        anchor: { selector: "#plan", x: 0.5, y: 1 },
        commentData: [{ from: ADA }],
      },
      { annotationId: "found", commentData: [{ from: ADA, commentText: "Typo", agent: { ...agent, reason } }] },
      { annotationId: "empty", anchor: ANCHOR, commentData: [{ from: ADA, commentId: 1 }] },
    ],
  });
  await workspace.data("/v2/crdt/add", { ...CONTRACT, editorId: "body", type: "text", data: "Other words" });
  const update = "/v2/commentannotations/update";
  const status = { id: "DONE", name: "Done", type: "terminal" as const };
  const resolved = { status, statusUpdatedByUserId: "grace", resolvedByUserId: "grace", from: GRACE };
  await workspace.data(update, { ...CONTRACT, annotationIds: ["resolved"], updatedData: resolved });
  const accepted = { suggestion: { status: "accepted" as const } };
  await workspace.data(update, { ...CONTRACT, annotationIds: ["suggested"], updatedData: accepted });
  const comments = { ...CONTRACT, annotationId: "resolved", commentIds: [3] };
  const updatedData = { commentText: "Changed" };
  await workspace.data("/v2/commentannotations/comments/update", { ...comments, updatedData });
  const emptied = { ...CONTRACT, annotationId: "empty" };
  await workspace.data("/v2/commentannotations/comments/delete", emptied);
  for (const [reaction, from] of [
    ["👍", GRACE],
    ["🎉", ADA],
    ["👍", ADA],
  ] as const) {
    const reacted = { ...CONTRACT, annotationId: "resolved", commentId: 3, reaction, from };
    await workspace.data("/v2/reactions/add", reacted);
  }
}

import { expect } from "vitest";
import { eventually } from "../eventually.ts";
import type { TestWorkspace } from "../harness.ts";
import { allowMails } from "../mails.ts";
import { deleteUserDataAndWait } from "../user-data.ts";
import { runExamples } from "./repository.ts";

const VIDEO = { url: "https://files.example.com/walk.mp4", mimeType: "video/mp4", name: "walk.mp4" };

/** Stores data for every page. */
export async function fillWorkspace(workspace: TestWorkspace, address: string): Promise<void> {
  await runExamples(workspace, address);
  const scope = { organizationId: "git", documentId: "engine" };
  await workspace.data("/v2/recordings/add", {
    ...scope,
    recordings: [
      {
        displayName: "A walk through the engine",
        from: { userId: "ada@example.com", name: "Ada Lovelace" },
        recordedTime: { duration: 90, display: "00:01:30" },
        attachments: [VIDEO],
      },
    ],
  });
  await allowMails(workspace, ["comment_annotation.add"]);
  const engine = { type: "document" as const, id: scope.documentId, organizationId: scope.organizationId };
  await workspace.data("/v2/auth/permissions/add", {
    user: { userId: "grace@example.com" },
    permissions: { resources: [engine] },
  });
  await workspace.data("/v2/commentannotations/add", {
    ...scope,
    commentAnnotations: [
      {
        annotationId: "stopping",
        assignedTo: { userId: "grace@example.com", name: "Grace Hopper", email: "grace@example.com" },
        commentData: [
          { from: { userId: "ada@example.com", name: "Ada Lovelace" }, commentText: "Shall it stop at once?" },
          { from: { userId: "grace@example.com", name: "Grace Hopper" }, commentText: "It answers first." },
        ],
      },
    ],
  });
  const getMails = () => workspace.data("/v2/workspace/mails/get", { state: "sent" });
  await eventually(async () => expect(await getMails()).toMatchObject([{ userId: "grace@example.com" }]));
  await workspace.data("/v2/workspace/emailconfig/update", { useEmailService: false });
  const folders = [
    { folderId: "architecture", folderName: "Architecture" },
    { folderId: "plans", folderName: "Plans", parentFolderId: "architecture", accessType: "restricted" as const },
    { folderId: "drafts", folderName: "Drafts", parentFolderId: "plans" },
    { folderId: "decisions", folderName: "Decisions", parentFolderId: "architecture" },
  ];
  await workspace.data("/v2/organizations/folders/add", { organizationId: "git", folders });
  const documents = [{ documentId: "roadmap" }];
  await workspace.data("/v2/organizations/documents/add", { organizationId: "git", folderId: "plans", documents });
  // The end is noon on the first of January in UTC, so that it is the same day everywhere from -11 to +12 hours.
  const expiresAt = Date.UTC(2100, 0, 1, 12) / 1000;
  const plans = { ...{ type: "folder" as const, id: "plans", organizationId: "git" }, expiresAt };
  await workspace.data("/v2/auth/permissions/add", {
    user: { userId: "grace@example.com" },
    permissions: { resources: [{ ...plans, accessRole: "viewer" }] },
  });
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  await workspace.data("/v2/workspace/advancedwebhook/endpoints/create", { url: "https://acme.example/webhooks" });
  await workspace.data("/v2/workspace/domains/add", { domains: ["app.example.com"] });
  await workspace.data("/v2/workspace/email/send-test-mail", { email: "grace@example.com" });
  await deleteUserDataAndWait(workspace, ["nobody"], ["team engine"]);
  const firstToken = async () => (await workspace.data("/v2/workspace/authtokens/get", {})).authTokens[0];
  // The service writes the last uses of tokens every 10 seconds.
  await eventually(async () => expect(await firstToken()).toMatchObject({ lastUsedAt: expect.any(Number) }));
}

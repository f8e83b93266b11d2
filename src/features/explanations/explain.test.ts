import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification } from "../../../test/notifications.ts";

const PATH = "/v2/notifications/explain";
const service = await startTestService();

/** Notifies Grace, Bob and Kurt. Grace and Kurt have read it, but Kurt keeps it; Bob wants nothing of the document. */
async function notified(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  const config = { organizationId: "acme", userIds: ["bob"] };
  await workspace.data("/v2/notifications/config/set", { ...config, config: { inbox: "MINE", slack: "ALL" } });
  const ofDocument = { ...config, documentIds: ["contract-7"], config: { inbox: "NONE" as const } };
  await workspace.data("/v2/notifications/config/set", ofDocument);
  await workspace.data("/v2/notifications/config/set", { ...ofDocument, documentIds: ["another"] });
  const notifyUsers = [{ userId: "grace" }, { userId: "bob" }, { userId: "kurt" }];
  await addNotification(workspace, "n1", { notifyUsers, notifyAll: false });
  await workspace.data("/v2/notifications/read", { organizationId: "acme", userId: "grace" });
  const persistReadForUsers = true;
  await workspace.data("/v2/notifications/read", { organizationId: "acme", userId: "kurt", persistReadForUsers });
  return workspace;
}

test("each user is explained by what decided, with the preferences that apply", async () => {
  const workspace = await notified();
  const email = { rule: "no-mail-event", explanation: expect.any(String) };
  const explained = await workspace.data(PATH, {
    ...{ organizationId: "acme", notificationId: "n1" },
    userIds: ["bob", "grace", "kurt", "carol"],
  });
  expect(explained[0]).not.toHaveProperty("readAt");
  expect(explained).toMatchObject([
    {
      userId: "bob",
      inbox: { rule: "preference-none" },
      email,
      preferences: [
        { inbox: "MINE", slack: "ALL" },
        { documentId: "contract-7", inbox: "NONE" },
      ],
    },
    { userId: "grace", inbox: { rule: "read" }, readAt: expect.any(Number), preferences: [] },
    { userId: "kurt", inbox: { rule: "delivered" }, readAt: expect.any(Number), preferences: [] },
    { userId: "carol", inbox: { rule: "not-a-recipient" }, preferences: [] },
  ]);
});

test("a notification of another workspace is not found", async () => {
  await notified();
  const request = { organizationId: "acme", notificationId: "n1", userIds: ["grace"] };
  const explained = await (await service.publicWorkspace()).data(PATH, request);
  expect(explained).toMatchObject([{ inbox: { rule: "not-found" }, preferences: [] }]);
});

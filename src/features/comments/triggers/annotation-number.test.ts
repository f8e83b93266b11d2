import { expect, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations, comment } from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";

const service = await startTestService();

test("notifications of replies, mentions and changes have the number of the annotation in the document", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["other"]);
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: { userId: "ada" } })] }]);
  const taggedUserContacts = [{ userId: "grace", text: "@grace" }];
  await addComments(workspace, [{ from: { userId: "alan" }, taggedUserContacts, triggerNotification: true }]);
  const annotationIds = ["a"];
  const changes = {
    annotationIds,
    updatedData: { assignedTo: { userId: "grace" } },
    actionUser: { userId: "alan" },
    triggerNotification: true,
  };
  await changeAnnotations(workspace, "update", changes);
  const readNumbers = async (userId: string) => {
    const list = await workspace.data("/v2/notifications/get", { organizationId: SCOPE.organizationId, userId });
    return list.map(({ notificationSourceData }) => Object(notificationSourceData).annotationNumber);
  };
  expect([await readNumbers("ada"), await readNumbers("grace")]).toEqual([
    [2, 2],
    [2, 2],
  ]);
});

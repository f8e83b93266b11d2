import { expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { WORKSPACE } from "../../../../test/workspace.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { deliverNotifications } from "./deliver-notifications.ts";

const service = await startTestService();

test("a notification is rejected with a reason if its organization was purged since the check of access", async () => {
  const { id, apiKey } = await service.workspace();
  const content = { displayHeadlineMessageTemplate: "Hello", displayBodyMessage: "" };
  const notification = { actionUser: { userId: "ada" }, notifyUsers: [{ userId: "grace" }], ...content };
  const { organizationId, documentId } = SCOPE;
  const delivered = service.database.transaction((transaction) => {
    const organization = openOrganization(transaction, { ...WORKSPACE, id, apiKey }, organizationId);
    return deliverNotifications(organization, [{ documentId, notification }]);
  });
  await expect(delivered).rejects.toMatchObject({ reason: "organization_being_deleted" });
});

import { expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { notify } from "./notify.ts";

const service = await startTestService();

test("a notification is refused with a reason if its organization was purged since the check of access", async () => {
  const { id, apiKey } = await service.workspace();
  const content = { displayHeadlineMessageTemplate: "Hello", displayBodyMessage: "" };
  const notification = { actionUser: { userId: "ada" }, notifyUsers: [{ userId: "grace" }], ...content };
  const call = { workspace: { id, apiKey, eventLog: undefined }, ...SCOPE, notification };
  const notified = service.database.transaction((transaction) => notify(transaction, [call]));
  await expect(notified).rejects.toMatchObject({ reason: "organization_being_deleted" });
});

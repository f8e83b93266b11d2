import { expect, test } from "vitest";
import { workspaceWithDocument } from "../../../test/events.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;
const EVENTS = "/v2/events/get";

async function startListening() {
  const workspace = await workspaceWithDocument(service);
  let { cursor } = await workspace.data(EVENTS, { organizationId });
  const news = async () => {
    const response = await workspace.data(EVENTS, { organizationId, cursor });
    cursor = response.cursor;
    return response.events;
  };
  return { workspace, news };
}

test("users who are added or changed are events with the record that get returns", async () => {
  const { workspace, news } = await startListening();
  await workspace.data("/v2/users/add", { organizationId, users: [{ userId: "ada" }, { userId: "grace" }] });
  const changes = [{ userId: "ada", name: "Ada" }, { userId: "missing" }];
  await workspace.data("/v2/users/update", { organizationId, users: changes });
  const [ada, grace] = Array.from(Object(await workspace.data("/v2/users/get", { organizationId })));
  expect(await news()).toMatchObject([
    { event: "access.update" },
    { event: "user.update", organizationId, subject: { userId: "ada" }, record: ada },
    { event: "user.update", organizationId, subject: { userId: "grace" }, record: grace },
    { event: "user.update", organizationId, subject: { userId: "ada" }, record: { name: "Ada" } },
  ]);
});

test("users of a folder or document, and new members of a group, are events", async () => {
  const { workspace, news } = await startListening();
  await workspace.data("/v2/users/add", {
    organizationId,
    documentId,
    users: [{ userId: "ada", accessRole: "editor" }],
  });
  await workspace.data("/v2/users/add", { organizationId, folderId: "f", users: [{ userId: "grace" }] });
  const group = { organizationId, organizationUserGroupId: "legal" };
  await workspace.data("/v2/organizations/usergroups/users/add", { ...group, userIds: ["linus"] });
  await workspace.data("/v2/organizations/usergroups/users/add", { ...group, userIds: ["linus"] });
  expect(await news()).toMatchObject([
    { event: "access.update" },
    { event: "user.update", documentId, subject: { userId: "ada" }, record: { accessRole: "editor" } },
    { event: "access.update" },
    { event: "user.update", subject: { userId: "grace", folderId: "f" }, record: { userId: "grace" } },
    { event: "user.update", subject: { userId: "linus" }, record: { userId: "linus" } },
  ]);
});

test("users get no events of users, and the deletion of a user's data deletes them", async () => {
  const { workspace } = await startListening();
  await workspace.data("/v2/users/add", { organizationId, users: [{ userId: "ada" }, { userId: "grace" }] });
  const { body } = await callWith(await tokenFor(workspace, "ada"), `${service.address}${EVENTS}`, { organizationId });
  const { cursor } = Object(body).result.data;
  await workspace.data("/v2/users/update", { organizationId, users: [{ userId: "ada", name: "Ada" }] });
  const asAda = await callWith(await tokenFor(workspace, "ada"), `${service.address}${EVENTS}`, {
    ...{ organizationId, cursor },
  });
  expect(Object(asAda.body).result.data.events).toEqual([]);
  await deleteUserDataAndWait(workspace, ["ada"]);
  const left = await runSql<{ userId: string }>(
    service.database,
    `select subject->>'userId' as "userId" from events
     where kind = 'user.update'
       and organization_key in (select organization_key from organizations where workspace_id = $1)`,
    [workspace.id],
  );
  expect(left.map(({ userId }) => userId)).toEqual(["grace"]);
});

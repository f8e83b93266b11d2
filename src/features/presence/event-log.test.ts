import { expect, test } from "vitest";
import { workspaceWithDocument } from "../../../test/events.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { addPresence, agePresence, readPresence } from "../../../test/presence.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const service = await startTestService();
const EVENTS = "/v2/events/get";

async function startListening() {
  const workspace = await workspaceWithDocument(service);
  let { cursor } = await workspace.data(EVENTS, SCOPE);
  const news = async () => {
    const response = await workspace.data(EVENTS, { ...SCOPE, cursor });
    cursor = response.cursor;
    return response.events;
  };
  return { workspace, news };
}

test("a user who is added, changes or is removed is an event with the record that get returns", async () => {
  const { workspace, news } = await startListening();
  const subject = { userId: "ada" };
  await addPresence(workspace, ["ada"]);
  expect(await news()).toMatchObject([
    { event: "presence.update", ...SCOPE, subject, record: (await readPresence(workspace))[0] },
  ]);
  for (const change of [{ status: "away" as const }, { name: "Ada" }, { email: "ada@example.com" }]) {
    const status = "away";
    await addPresence(workspace, [{ userId: "ada", status, ...change }]);
    const [record] = await readPresence(workspace);
    expect(record).toMatchObject({ status, ...change });
    expect(await news()).toMatchObject([{ event: "presence.update", subject, record }]);
  }
  await workspace.data("/v2/presence/delete", { ...SCOPE, userIds: ["ada", "missing"] });
  const [deletion, ...others] = await news();
  expect([deletion, others]).toMatchObject([{ event: "presence.delete", ...SCOPE, subject }, []]);
  expect(deletion).not.toHaveProperty("record");
});

test("a heartbeat that changes only the time is not recorded as an event, unless the user was offline", async () => {
  const { workspace, news } = await startListening();
  const ada = { userId: "ada", name: "Ada", email: "ada@example.com" };
  await addPresence(workspace, [ada, "grace"]);
  await news();
  await addPresence(workspace, [ada, "grace"]);
  await addPresence(workspace, ["ada"]);
  expect(await news()).toEqual([]);
  await agePresence(service.database, workspace, ["ada"], 11);
  await addPresence(workspace, [ada, "grace"]);
  expect(await news()).toMatchObject([{ event: "presence.update", subject: { userId: "ada" } }]);
});

test("users of a document get the events of its presence, and a rejected heartbeat is none", async () => {
  const { workspace, news } = await startListening();
  const url = `${service.address}${EVENTS}`;
  const token = await tokenFor(workspace, "grace");
  await addPresence(workspace, ["linus"]);
  const first = await callWith(token, url, SCOPE);
  await addPresence(workspace, ["ada"]);
  const { cursor } = Object(first.body).result.data;
  const { body } = await callWith(token, url, { ...SCOPE, cursor });
  expect(Object(body).result.data.events).toMatchObject([
    { event: "presence.update", subject: { userId: "ada" }, record: { userId: "ada", status: "online" } },
  ]);
  await news();
  const disabled = { organizationIds: [SCOPE.organizationId], disabled: true };
  await workspace.data("/v2/organizations/access/disablestate/update", disabled);
  await workspace.error("/v2/presence/add", { ...SCOPE, users: [{ userId: "new" }] });
  await workspace.data("/v2/organizations/access/disablestate/update", { ...disabled, disabled: false });
  const kinds = (await news()).map(({ event }) => event);
  expect(kinds).not.toContain("presence.update");
});

test("nobody listens: no event is written; the deletion of a user's data deletes the user's events", async () => {
  const quiet = await workspaceWithDocument(service);
  await addPresence(quiet, ["ada"]);
  const { workspace } = await startListening();
  await addPresence(workspace, ["ada", "grace"]);
  await workspace.data("/v2/presence/delete", { ...SCOPE, userIds: ["ada"] });
  await deleteUserDataAndWait(workspace, ["ada"]);
  const written = ({ id }: { id: string }) =>
    runSql<{ userId: string }>(
      service.database,
      `select subject->>'userId' as "userId" from events where organization_key = $1 and kind like 'presence.%'`,
      [organizationKey(id, SCOPE.organizationId)],
    );
  expect(await written(quiet)).toEqual([]);
  expect(await written(workspace)).toEqual([{ userId: "grace" }]);
});

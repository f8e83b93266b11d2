import { expect, onTestFinished, test } from "vitest";
import { addContent } from "../../../../test/crdt.ts";
import { openEventStream } from "../../../../test/event-streams.ts";
import { eventually } from "../../../../test/eventually.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { silentLog, startOwnTestService, type TestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addPresence, agePresence, readPresence } from "../../../../test/presence.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { openSyncedPage } from "../../../../test/sync.ts";
import { deleteUserDataAndWait } from "../../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { ConnectedUsers } from "./connected-users.ts";

const service = await startOwnTestService(({ limits }) => ({ limits: { ...limits, lingeringMs: 200 } }));
const second = await service.secondProcess();
const { organizationId, documentId } = SCOPE;

async function workspaceWithDocument(at: TestService = service): Promise<TestWorkspace> {
  const workspace = await at.workspace();
  await addContent(workspace, { type: "text", data: "one" });
  return workspace;
}

/** Opens a stream of the document as the user, by default of ada at the first process. */
async function connect(workspace: TestWorkspace, userId = "ada", { address }: { address: string } = service) {
  const token = await tokenFor(workspace, userId);
  return openEventStream(workspace, address, { query: { documentId }, headers: { authorization: `Bearer ${token}` } });
}

async function getStatuses(workspace: TestWorkspace): Promise<Record<string, string>> {
  return Object.fromEntries((await readPresence(workspace)).map(({ userId, status }) => [userId, status]));
}

function becomes(workspace: TestWorkspace, statuses: Record<string, string>): Promise<void> {
  return eventually(async () => expect(await getStatuses(workspace)).toEqual(statuses));
}

/** Resolves once the connections that have closed until now are written: those of a user who leaves after them are. */
async function afterClosing(workspace: TestWorkspace, at: TestService = service): Promise<void> {
  const stream = await connect(workspace, "later", at);
  await eventually(async () => expect(await getStatuses(workspace)).toMatchObject({ later: "online" }));
  stream.close();
  await eventually(async () => expect(await getStatuses(workspace)).toMatchObject({ later: "offline" }));
}

test("an event stream keeps its user online until it closes, and events notify the others", async () => {
  const workspace = await workspaceWithDocument();
  const grace = await connect(workspace, "grace", second);
  const ada = await connect(workspace);
  await becomes(workspace, { ada: "online", grace: "online" });
  ada.close();
  await becomes(workspace, { ada: "offline", grace: "online" });
  const ofAda = () =>
    grace.received
      .map(({ event, data = "{}" }) => ({ event, ...JSON.parse(data) }))
      .filter(({ subject }) => subject?.userId === "ada");
  await eventually(() =>
    expect(ofAda()).toMatchObject([
      { event: "presence.update", documentId, record: { userId: "ada" } },
      { event: "presence.update", documentId, record: { userId: "ada", status: "offline" } },
    ]),
  );
});

test("an editor keeps its user online until it closes", async () => {
  const workspace = await workspaceWithDocument();
  const page = await openSyncedPage(second.address, { token: await tokenFor(workspace, "ada") });
  await becomes(workspace, { ada: "online" });
  page.provider.destroy();
  await becomes(workspace, { ada: "offline" });
});

test.each([
  ["at the same process", service],
  ["at another process", second],
])("a user with another stream %s stays online", async (_, other) => {
  const workspace = await workspaceWithDocument();
  const [first] = [await connect(workspace), await connect(workspace, "ada", other)];
  await becomes(workspace, { ada: "online" });
  first.close();
  await afterClosing(workspace);
  expect(await getStatuses(workspace)).toMatchObject({ ada: "online" });
});

test("a user who connects again at another process is never reported as offline", async () => {
  // It lingers for so long that the test connects again in time on a slow machine.
  const patient = await startOwnTestService(({ limits }) => ({ limits: { ...limits, lingeringMs: 8_000 } }));
  const other = await patient.secondProcess();
  const workspace = await workspaceWithDocument(patient);
  const ada = await connect(workspace, "ada", patient);
  await becomes(workspace, { ada: "online" });
  const { cursor } = await workspace.data("/v2/events/get", { organizationId });
  ada.close();
  // Once grace is online, the first process has written what it had to.
  await connect(workspace, "grace", patient);
  await eventually(async () => expect(await getStatuses(workspace)).toMatchObject({ grace: "online" }));
  await connect(workspace, "ada", other);
  await afterClosing(workspace, patient);
  const { events } = await workspace.data("/v2/events/get", { organizationId, cursor });
  expect(events.map(({ subject }) => Object(subject).userId)).not.toContain("ada");
});

test("a status, name and email from heartbeats stay when the user connects", async () => {
  const workspace = await workspaceWithDocument();
  await addPresence(workspace, [{ userId: "ada", name: "Ada", status: "away" }]);
  await connect(workspace);
  await connect(workspace, "grace");
  await becomes(workspace, { ada: "away", grace: "online" });
  expect(await readPresence(workspace)).toMatchObject([{ userId: "ada", name: "Ada" }, { userId: "grace" }]);
});

test("a heartbeat of a backend counts for 10 minutes, that of a page until it disconnects", async () => {
  const workspace = await workspaceWithDocument();
  const [ada, grace] = [await connect(workspace), await connect(workspace, "grace")];
  await becomes(workspace, { ada: "online", grace: "online" });
  await addPresence(workspace, ["ada"]);
  const own = { ...SCOPE, users: [{ userId: "grace", status: "away" }] };
  await callWith(await tokenFor(workspace, "grace"), `${service.address}/v2/presence/add`, own);
  ada.close();
  grace.close();
  await becomes(workspace, { ada: "online", grace: "offline" });
  await afterClosing(workspace);
  expect(await getStatuses(workspace)).toMatchObject({ ada: "online" });
  await agePresence(service.database, workspace, ["ada"], 10);
  expect(await getStatuses(workspace)).toMatchObject({ ada: "offline" });
});

test("a backend, and a stream of the whole organization, are nobody's presence", async () => {
  const workspace = await workspaceWithDocument();
  await openEventStream(workspace, service.address, { query: { documentId } });
  const headers = { authorization: `Bearer ${await tokenFor(workspace, "ada")}` };
  await openEventStream(workspace, service.address, { headers });
  await afterClosing(workspace);
  expect(await getStatuses(workspace)).toEqual({ later: "offline" });
});

test("the entries of connected users are renewed, and who was removed stays removed", async () => {
  const workspace = await workspaceWithDocument();
  const users = new ConnectedUsers(service.database, silentLog, {
    ...{ presenceSharing: { remove() {} }, lingeringMs: 0, renewalMs: 100 },
  });
  onTestFinished(() => users.stop());
  const document = { workspaceId: workspace.id, ...SCOPE };
  for (const userId of ["ada", "grace"]) users.connect(document, { userId, grants: [], tokenNumber: 0, expiresAt: 0 });
  await becomes(workspace, { ada: "online", grace: "online" });
  await workspace.data("/v2/presence/delete", { ...SCOPE, userIds: ["grace"] });
  await agePresence(service.database, workspace, ["ada"], 60);
  await becomes(workspace, { ada: "online" });
});

test("disabling the document takes its users offline", async () => {
  const workspace = await workspaceWithDocument();
  const { ended } = await connect(workspace);
  await becomes(workspace, { ada: "online" });
  const path = "/v2/organizations/documents/access/disablestate/update";
  await workspace.data(path, { organizationId, documentIds: [documentId], disabled: true });
  await ended;
  await eventually(async () => expect(await countConnections(workspace)).toBe(0));
  await workspace.data(path, { organizationId, documentIds: [documentId], disabled: false });
  expect(await getStatuses(workspace)).toEqual({ ada: "offline" });
});

test("the deletion of a user's data deletes the connections, and who closes one later does not come back", async () => {
  const workspace = await workspaceWithDocument();
  const { ended } = await connect(workspace);
  await becomes(workspace, { ada: "online" });
  await deleteUserDataAndWait(workspace, ["ada"]);
  await ended;
  await afterClosing(workspace);
  expect(await getStatuses(workspace)).toEqual({ later: "offline" });
  expect(await countConnections(workspace)).toBe(0);
});

async function countConnections({ id }: TestWorkspace): Promise<number> {
  const key = organizationKey(id, organizationId);
  return (await runSql(service.database, "select from presence_connections where organization_key = $1", [key])).length;
}

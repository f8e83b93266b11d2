import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { startServiceBehindProxy } from "../database-proxy.ts";
import { keepEventStream, openEventStream } from "../event-streams.ts";
import { workspaceWithDocument } from "../events.ts";
import { eventually } from "../eventually.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService, startTestService, type TestWorkspace } from "../harness.ts";
import { grant, removeGrant, resourceNamed } from "../permissions.ts";
import { runSql } from "../run-sql.ts";
import { longTest, size } from "../sizes.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const second = await service.secondProcess();
const { organizationId, documentId } = SCOPE;
const STREAMS = size({ usual: 20, long: 1_000 });
/** Clients that connect at the same moment. */
const CROWD = size({ usual: 20, long: 100 });

/** Creates a workspace with a closed document that ada may read by a stored permission. */
async function closedDocument(): Promise<TestWorkspace> {
  const workspace = await workspaceWithDocument(service);
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await grant(workspace, "ada", `document ${documentId}`, "viewer");
  return workspace;
}

/** Opens a stream of the document at each process, as ada. */
async function openAdaStreams(workspace: TestWorkspace) {
  const token = await tokenFor(workspace, "ada", { resources: [resourceNamed("document other")] });
  const options = { query: { documentId }, headers: { authorization: `Bearer ${token}` } };
  return Promise.all([service, second].map(({ address }) => openEventStream(workspace, address, options)));
}

function getStatus(workspace: TestWorkspace, headers: Record<string, string>): Promise<number> {
  return openEventStream(workspace, service.address, { query: { documentId }, headers }).then(
    ({ response }) => response.status,
  );
}

test("streams of a user end at every process when the permission is removed, and cannot be opened again", async () => {
  const workspace = await closedDocument();
  const streams = await openAdaStreams(workspace);
  for (const { response } of streams) expect(response.status).toBe(200);
  await removeGrant(workspace, "ada", `document ${documentId}`);
  await Promise.all(streams.map(({ ended }) => ended));
  const token = await tokenFor(workspace, "ada", { resources: [resourceNamed("document other")] });
  expect(await getStatus(workspace, { authorization: `Bearer ${token}` })).toBe(403);
});

test("streams of a user end when the permission expires", async () => {
  const workspace = await closedDocument();
  const streams = await openAdaStreams(workspace);
  await runSql(service.database, "update grants set expires_at = statement_timestamp() where organization_key = $1", [
    organizationKey(workspace.id, organizationId),
  ]);
  await Promise.all(streams.map(({ ended }) => ended));
});

test.each([
  ["/v2/organizations/documents/access/disablestate/update", { organizationId, documentIds: [documentId] }],
  ["/v2/organizations/access/disablestate/update", { organizationIds: [organizationId] }],
])("streams of backends and users end when %s closes what they read", async (path, access) => {
  const workspace = await closedDocument();
  const streams = await openAdaStreams(workspace);
  const ofBackend = await openEventStream(workspace, second.address, { query: { documentId } });
  await workspace.uncheckedResult(path, { ...access, disabled: true });
  await Promise.all([...streams, ofBackend].map(({ ended }) => ended));
});

/** Opens a stream of the organization whose client never reads. */
function openUnreadStream(workspace: TestWorkspace, address: string): void {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  const headers = Object.entries({ host: hostname, ...workspace.headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`GET /v2/events/stream?organizationId=${organizationId} HTTP/1.1\r\n${headers.join("")}\r\n`);
}

/** Opens and closes one more stream. Returns the status of its response. */
async function getOtherStreamStatus(workspace: TestWorkspace, address: string): Promise<number> {
  const { response, close } = await openEventStream(workspace, address);
  close();
  return response.status;
}

/** Adds more than what the buffers of a connection hold. Returns the IDs. */
async function addLargeActivities(workspace: TestWorkspace): Promise<string[]> {
  const ids = Array.from({ length: 30 }, (_, index) => `activity-${index}`);
  for (const id of ids) await addActivities(workspace, [{ id, entityData: "x".repeat(1_000_000) }]);
  return ids;
}

test("a client that does not read is cut off, and resumes without a gap", async () => {
  const own = await startOwnTestService(({ limits }) => ({
    limits: { ...limits, streams: { ...limits.streams, maxOfWorkspace: 1, maxUnreadBytes: 1_000_000, unreadMs: 100 } },
  }));
  const workspace = await workspaceWithDocument(own);
  const { cursor } = await workspace.data("/v2/events/get", { organizationId });
  openUnreadStream(workspace, own.address);
  await eventually(async () => expect(await getOtherStreamStatus(workspace, own.address)).toBe(429));
  const ids = await addLargeActivities(workspace);
  await eventually(async () => expect(await getOtherStreamStatus(workspace, own.address)).toBe(200));
  const events: string[] = [];
  for (let after = cursor; events.length < ids.length; ) {
    const page = await workspace.data("/v2/events/get", { organizationId, cursor: after });
    events.push(...page.events.map(({ subject }) => Object(subject).id));
    after = page.cursor;
  }
  expect(events).toEqual(ids);
});

longTest("a stop does not wait for a client that does not read", async () => {
  const own = await startOwnTestService(({ limits }) => ({
    limits: { ...limits, streams: { ...limits.streams, maxOfWorkspace: 1, unreadMs: 60_000 } },
  }));
  const workspace = await workspaceWithDocument(own);
  const other = await own.secondProcess();
  openUnreadStream(workspace, other.address);
  await eventually(async () => expect(await getOtherStreamStatus(workspace, other.address)).toBe(429));
  await addLargeActivities(workspace);
  const begun = performance.now();
  await other.stop();
  // A stop that waited for the client would close its connection after 7 s.
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test(`${CROWD} clients that connect at once, thrice, leave nothing behind and miss no event`, async () => {
  const own = await startOwnTestService(({ limits }) => ({
    limits: { ...limits, streams: { ...limits.streams, maxOfWorkspace: CROWD } },
  }));
  const workspace = await workspaceWithDocument(own);
  const token = await tokenFor(workspace, "ada", { resources: [resourceNamed("organization acme")] });
  const { cursor } = await workspace.data("/v2/events/get", { organizationId });
  const open = (lastId: string) =>
    eventually(async () => {
      const stream = await openEventStream(workspace, own.address, {
        headers: { authorization: `Bearer ${token}`, "last-event-id": lastId },
      });
      expect(stream.response.status).toBe(200);
      return stream;
    });
  let lastId = cursor;
  for (const id of ["one", "two", "three"]) {
    await addActivities(workspace, [id]);
    const after = lastId;
    const streams = await Promise.all(Array.from({ length: CROWD }, () => open(after)));
    for (const { events } of streams) await eventually(() => expect(events()).toEqual([["activity.add", { id }]]));
    expect((await openEventStream(workspace, own.address)).response.status).toBe(429);
    lastId = streams[0]?.lastId() ?? "";
    for (const { close } of streams) close();
  }
});

test("a stream gets an event without a notification, as after a process was killed", async () => {
  const workspace = await workspaceWithDocument(service);
  const stream = await openEventStream(workspace, service.address);
  await addActivities(workspace, ["one"]);
  await eventually(() => expect(stream.events()).toHaveLength(1));
  await service.database.transaction(async (transaction) => {
    const key = organizationKey(workspace.id, organizationId);
    await runSql(transaction, "update event_positions set position = position + 1 where organization_key = $1", [key]);
    await runSql(
      transaction,
      `insert into events (organization_key, position, created_at, kind, document_id, audience, subject)
       select organization_key, position + 1, created_at, 'activity.delete', document_id, audience, subject
       from events where organization_key = $1`,
      [key],
    );
  });
  await eventually(() => expect(stream.events().at(-1)).toEqual(["activity.delete", { id: "one" }]));
});

test("streams resume after a loss of the database, and no client misses or repeats an event", async () => {
  const { service: own, proxy } = await startServiceBehindProxy();
  const workspace = await workspaceWithDocument(own);
  const streams = Array.from({ length: STREAMS }, () => keepEventStream(workspace, own.address));
  await eventually(() => expect(streams.every(({ isOpen }) => isOpen())).toBe(true));
  await addActivities(workspace, ["before"]);
  proxy.cut();
  proxy.restore();
  await eventually(async () => expect((await fetch(`${own.address}/readyz`)).status).toBe(200));
  await addActivities(workspace, ["after"]);
  const expected = ["before", "after"].map((id) => ["activity.add", { id }]);
  for (const { events } of streams) await eventually(() => expect(events()).toEqual(expected));
});

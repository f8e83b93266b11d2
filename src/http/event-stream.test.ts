import { expect, test } from "vitest";
import { openEventStream } from "../../test/event-streams.ts";
import { workspaceWithDocument } from "../../test/events.ts";
import { eventually } from "../../test/eventually.ts";
import { addActivities, SCOPE } from "../../test/factories.ts";
import { startOwnTestService } from "../../test/harness.ts";
import { grant, removeGrant } from "../../test/permissions.ts";
import { callWith, claimsFor, signClaims, tokenFor } from "../../test/user-tokens.ts";

const service = await startOwnTestService();
const second = await service.secondProcess();
const IN_ACME = { organizationId: SCOPE.organizationId };

test.each([0, 1])("a change by process %s arrives with its record", async (process) => {
  const workspace = await workspaceWithDocument(service);
  const stream = await openEventStream(workspace, service.address);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
  // Proxies that compress would hold events back.
  expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
  await addActivities(process === 0 ? workspace : workspace.at(second.address), ["one"]);
  await eventually(() => expect(stream.events()).toEqual([["activity.add", { id: "one" }]]));
  const [record] = await workspace.data("/v2/activities/get", { ...SCOPE, activityIds: ["one"] });
  expect(JSON.parse(stream.received.at(-1)?.data ?? "")).toEqual({
    ...{ ...SCOPE, timestamp: expect.any(Number), subject: { id: "one" }, record },
  });
});

test("a client that connects again resumes without gap or repetition, at any process", async () => {
  const workspace = await workspaceWithDocument(service);
  const first = await openEventStream(workspace, service.address);
  await addActivities(workspace, ["one", "two"]);
  await eventually(() => expect(first.events()).toHaveLength(2));
  const [, , afterOne] = first.received.map(({ id = "" }) => id);
  first.close();
  await addActivities(workspace, ["three"]);
  const again = await openEventStream(workspace, second.address, { headers: { "last-event-id": afterOne ?? "" } });
  await eventually(() => expect(again.events().map(([, subject]) => subject.id)).toEqual(["two", "three"]));
});

test("a client without a cursor can resume from the beginning of its stream", async () => {
  const workspace = await workspaceWithDocument(service);
  const first = await openEventStream(workspace, service.address);
  await eventually(() => expect(first.lastId()).not.toBe(""));
  first.close();
  await addActivities(workspace, ["one"]);
  const again = await openEventStream(workspace, service.address, { headers: { "last-event-id": first.lastId() } });
  await eventually(() => expect(again.events()).toEqual([["activity.add", { id: "one" }]]));
});

test("a client that resumes gets a response before the next event", async () => {
  const workspace = await workspaceWithDocument(service);
  const first = await openEventStream(workspace, service.address);
  await addActivities(workspace, ["one"]);
  await eventually(() => expect(first.events()).toHaveLength(1));
  for (const _ of [1, 2]) {
    const startedAt = performance.now();
    await openEventStream(workspace, service.address, { headers: { "last-event-id": first.lastId() } });
    // The next comment would be sent after 15 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }
});

test("a stream has only the events of its document and kinds", async () => {
  const workspace = await workspaceWithDocument(service);
  const query = { documentId: SCOPE.documentId, kinds: "activity.add,activity.delete" };
  const stream = await openEventStream(workspace, service.address, { query });
  await addActivities(workspace, ["there"], { documentId: "other" });
  await addActivities(workspace, ["here"]);
  await workspace.data("/v2/activities/update", { ...IN_ACME, activities: [{ id: "here", actionIcon: "x" }] });
  await workspace.data("/v2/activities/delete", { ...IN_ACME, activityIds: ["here"] });
  await eventually(() => expect(stream.events().at(-1)).toEqual(["activity.delete", { id: "here" }]));
  expect(stream.events().filter(([kind]) => kind === "activity.update")).toEqual([]);
  expect(stream.events().filter(([, subject]) => subject.id === "there")).toEqual([]);
});

test("a user has a stream with a user token, which ends after its revocation", async () => {
  const workspace = await workspaceWithDocument(service);
  await addActivities(workspace, ["earlier"]);
  const token = await tokenFor(workspace, "ada");
  const stream = await openEventStream(workspace, second.address, {
    headers: { authorization: `Bearer ${token}` },
  });
  await addActivities(workspace, ["one"]);
  await eventually(() => expect(stream.events()).toEqual([["activity.add", { id: "one" }]]));
  await workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
  await stream.ended;
});

test("the stream of a user ends when the token expires", async () => {
  const workspace = await workspaceWithDocument(service);
  await addActivities(workspace, ["earlier"]);
  const stream = await eventually(async () => {
    const claims = claimsFor(workspace);
    const token = await signClaims(workspace.apiKey, { ...claims, exp: claims.iat + 2 });
    const opened = await openEventStream(workspace, service.address, { headers: { authorization: `Bearer ${token}` } });
    expect(opened.response.status).toBe(200);
    return opened;
  });
  await stream.ended;
});

test("a stream ends with its token's permission, though one is stored, and with one removed as it opened", async () => {
  const workspace = await workspaceWithDocument(service);
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  const { documentId } = SCOPE;
  const resource = { type: "document" as const, id: documentId, ...IN_ACME };
  await grant(workspace, "ada", `document ${documentId}`, "editor");
  const read = async (token: string) =>
    Object((await callWith(token, `${service.address}/v2/activities/get`, SCOPE)).body);
  const open = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return openEventStream(workspace, service.address, { query: { documentIds: documentId }, headers });
  };
  const { ofAda, ending } = await eventually(async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 3;
    const token = await tokenFor(workspace, "ada", { resources: [{ ...resource, expiresAt }] });
    const opened = await open(token);
    expect(opened.response.status).toBe(200);
    return { ofAda: token, ending: opened };
  });
  // Each call may leave the role in the cache when the permission ends.
  await expect.poll(async () => Object(await read(ofAda)).error?.details.reason).toBe("access_denied");
  await ending.ended;

  const ofGrace = await tokenFor(workspace, "grace", { resources: [resource] });
  expect(await read(ofGrace)).toHaveProperty("result");
  await removeGrant(workspace, "grace", `document ${documentId}`);
  await (await open(ofGrace)).ended;
});

test("a question mark in a parameter of a stream is part of its value", async () => {
  const workspace = await workspaceWithDocument(service);
  const stream = await openEventStream(workspace, service.address, {
    rawQuery: "&documentId=what?now&kinds=activity.add",
  });
  await addActivities(workspace, ["other"], { documentId: "what" });
  await addActivities(workspace, ["own"], { documentId: "what?now" });
  // The document was created first, of which the kinds keep the event out.
  await eventually(() => expect(stream.events()).toEqual([["activity.add", { id: "own" }]]));
});

test.each([
  ["kinds=activity.add&kinds=activity.delete", "data.kinds"],
  ["organizationId=globex", "data.organizationId"],
  ["documentId=%zz", "data.documentId"],
  ["documentId=%ED%A0%80", "data.documentId"],
])("a stream with the parameters %s is rejected and the error names %s", async (query, path) => {
  const workspace = await workspaceWithDocument(service);
  const url = `${service.address}/v2/events/stream?organizationId=acme&${query}`;
  const response = await fetch(url, { headers: workspace.headers });
  expect(response.status).toBe(400);
  expect(Object(await response.json()).error.details.issues).toMatchObject([{ path }]);
});

test.each([
  [{ query: { kinds: "activity.added" } }, 400],
  [{ query: { waitSeconds: "1" } }, 400],
  [{ query: { documentid: "contract-7" } }, 400],
  [{ headers: { "last-event-id": "AAAA" } }, 400],
  [{ headers: { authorization: "Bearer nobody" } }, 403],
])("a stream with %j is rejected as any request", async (wrong, status) => {
  const workspace = await workspaceWithDocument(service);
  const { response } = await openEventStream(
    workspace,
    service.address,
    wrong as Parameters<typeof openEventStream>[2],
  );
  expect(response.status).toBe(status);
});

test("other methods are 405 and name GET", async () => {
  const response = await fetch(`${service.address}/v2/events/stream`, { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
});

test("a web page of an allowed domain may open a stream, and one of another domain may not", async () => {
  const workspace = await workspaceWithDocument(service);
  const origin = "https://stream.example";
  await workspace.data("/v2/workspace/domains/add", { domains: ["stream.example"] });
  const { response: allowed } = await openEventStream(workspace, service.address, { headers: { origin } });
  const { response: rejected } = await openEventStream(workspace, service.address, {
    headers: { origin: "https://evil.example" },
  });
  expect([allowed.status, allowed.headers.get("access-control-allow-origin"), rejected.status]).toEqual([
    200,
    origin,
    403,
  ]);
  const preflight = await fetch(`${service.address}/v2/events/stream`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "last-event-id" },
  });
  expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "GET,POST,PUT"]);
});

test("a service that stops ends its streams, whose clients resume at another process", async () => {
  const workspace = await workspaceWithDocument(service);
  const other = await service.secondProcess();
  const stream = await openEventStream(workspace, other.address);
  await eventually(() => expect(stream.lastId()).not.toBe(""));
  await other.stop();
  await stream.ended;
  await addActivities(workspace, ["one"]);
  const again = await openEventStream(workspace, service.address, { headers: { "last-event-id": stream.lastId() } });
  await eventually(() => expect(again.events()).toEqual([["activity.add", { id: "one" }]]));
});

test("a user has a limited number of streams and waiting requests at a time", async () => {
  const own = await startOwnTestService(({ limits }) => ({
    limits: { ...limits, streams: { ...limits.streams, maxOfUser: 3 } },
  }));
  const workspace = await workspaceWithDocument(own);
  const { cursor } = await workspace.data("/v2/events/get", IN_ACME);
  const open = async (userId: string) => {
    const headers = { authorization: `Bearer ${await tokenFor(workspace, userId)}` };
    return openEventStream(workspace, own.address, { headers });
  };
  const token = await tokenFor(workspace, "ada");
  const wait = (waitSeconds: number) => {
    return callWith(token, `${own.address}/v2/events/get`, { ...SCOPE, cursor, kinds: ["activity.add"], waitSeconds });
  };
  const [first] = [await open("ada"), await open("ada")];
  const waiting = [wait(20)];
  await eventually(async () => {
    const { response, close } = await open("ada");
    close();
    // A stream that was faster may have taken the place of the request.
    if (response.status === 200) waiting.push(wait(20));
    expect(response.status).toBe(429);
  });
  expect(await wait(20)).toMatchObject({
    httpStatus: 429,
    body: { error: { status: "RESOURCE_EXHAUSTED", details: { reason: "too_many_streams" } } },
  });
  expect((await wait(0)).httpStatus).toBe(200);
  expect((await open("grace")).response.status).toBe(200);
  expect((await openEventStream(workspace, own.address)).response.status).toBe(200);
  await addActivities(workspace, ["one"]);
  expect((await Promise.all(waiting)).map(({ httpStatus }) => httpStatus)).toContain(200);
  expect((await open("ada")).response.status).toBe(200);
  first.close();
  await eventually(async () => expect((await open("ada")).response.status).toBe(200));
});

import { expect, test } from "vitest";
import { collectGarbage } from "../../src/service/after-start.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";

const ADD = "/v2/activities/add";
const TRIES = Array.from({ length: 10 });
const CHUNK = "x".repeat(64 * 1024);
/** Number of chunks of a body that is larger than any operation accepts. */
const CHUNKS = 250;

const service = await startTestService();
const workspace = await service.workspace();

/** Sends a request whose body has 16 MB without reading anything, and returns the answer. */
async function sendTooMuch(headers: Record<string, string>, chunk: string) {
  const connection = await RawConnection.open(service.address);
  connection.socket.pause();
  await connection.send(requestText(ADD, { ...workspace.headers, ...headers }, ""));
  for (let sent = 0; sent < CHUNKS; sent++) await connection.send(chunk);
  connection.socket.resume();
  const answer = await connection.answer();
  connection.socket.destroy();
  return answer;
}

const TOO_LARGE = { httpStatus: 413, body: { error: { details: { reason: "body_too_large" } } } };

test.each([
  ["announced by its length", { "content-length": String(CHUNKS * CHUNK.length) }, CHUNK],
  ["of unknown length", { "transfer-encoding": "chunked" }, `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`],
])("a client that sends a body over the limit, %s, before it reads always gets the 413", async (_, headers, chunk) => {
  for (const _try of TRIES) {
    const answer = await sendTooMuch(headers, chunk);
    expect(answer).toMatchObject(TOO_LARGE);
    expect(answer.headers.get("connection")).toBe("close");
  }
});

test.each<[title: string, path: string, headers: Record<string, string>, httpStatus: number]>([
  ["without credentials", ADD, {}, 403],
  ["with a wrong token", ADD, { ...workspace.headers, "x-service-auth-token": "wrong" }, 403],
  ["of an unknown operation", "/v2/unknown", {}, 404],
  ["of another media type", ADD, { ...workspace.headers, "content-type": "text/plain" }, 415],
  ["that is compressed", ADD, { ...workspace.headers, "content-encoding": "gzip" }, 415],
  ["that announces too much", ADD, { ...workspace.headers, "content-length": "2097153" }, 413],
  ["that is public and announces too much", "/v2/workspace/email/send-login-link", { "content-length": "16385" }, 413],
])("a request %s is refused before its body arrives", async (_title, path, headers, httpStatus) => {
  const connection = await RawConnection.open(service.address);
  await connection.send(requestText(path, { "content-length": "1000000", ...headers }, '{"data":'));
  const answer = await connection.answer();
  expect(answer.httpStatus).toBe(httpStatus);
  expect(answer.headers.get("connection")).toBe("close");
  connection.socket.destroy();
});

test("a body that exceeds a limit is refused before it is complete", async () => {
  const connection = await RawConnection.open(service.address);
  const values = `{"data":[${"0,".repeat(100_001)}`;
  await connection.send(requestText(ADD, { ...workspace.headers, "content-length": "1000000" }, values));
  expect(await connection.answer()).toMatchObject({ httpStatus: 400, body: { error: { status: "INVALID_ARGUMENT" } } });
  connection.socket.destroy();
});

function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const KEYS = numbered(98_000, (number) => `${"k".repeat(10)}${number}`);
const KEYS_TEXT = JSON.stringify(KEYS);

/** Maximum ratio for bodies of many different keys, which are parsed, checked and written without a yield. */
const MANY_KEYS_RATIO = 5;

/**
 * Waits for the work and checks that no iteration of the event loop takes more than a multiple of the processor time of
 * parsing 98,000 keys, which is about 60 ms on a quiet machine, and more while others use its cores.
 */
async function expectShortHold(work: Promise<unknown>, maxRatio = MANY_KEYS_RATIO): Promise<void> {
  // The garbage of earlier tests in this process would be collected in one of the turns.
  collectGarbage();
  const parsingMs = [measureParsing()];
  let [isDone, longestMs] = [false, 0];
  const done = work.finally(() => {
    isDone = true;
  });
  for (let before = process.threadCpuUsage(); !isDone; before = process.threadCpuUsage()) {
    await new Promise(setImmediate);
    longestMs = Math.max(longestMs, processorMs(before));
  }
  await done;
  parsingMs.push(measureParsing());
  expect(longestMs).toBeLessThan(maxRatio * Math.max(...parsingMs));
}

/** Returns the processor time of parsing 98,000 keys. */
function measureParsing(): number {
  const before = process.threadCpuUsage();
  JSON.parse(KEYS_TEXT);
  return processorMs(before);
}

// A turn takes more processor time if another program uses the other half of the core meanwhile.
const ON_BUSY_MACHINES = { retry: 2 };
test.each([
  ["98,000 different keys", KEYS, MANY_KEYS_RATIO],
  ["98,000 numbers", Array(98_000).fill(1e-300), 1.7],
  ["a text of escaped characters", "\u0000".repeat(340_000), 1.7],
  ["a text of lone surrogates", "\ud800".repeat(340_000), 1.7],
])("a large body of %s does not hold the event loop for long", ON_BUSY_MACHINES, async (_title, entityData, ratio) => {
  const activity = { featureType: "comment", actionType: "comment.add", actionUser: { userId: "ada" }, entityData };
  const body = JSON.stringify({ data: { ...SCOPE, activities: [activity] } });
  const added = workspace.call(ADD, body);
  await expectShortHold(added, ratio);
  expect(await added).toMatchObject({ httpStatus: 200 });
});

function numbered(count: number, nameOf: (number: number) => string): object {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [nameOf(number), 1]));
}

/** Returns 500 items with these IDs and 190 fields each, whose names all differ. */
function itemsOf(idField: string): object[] {
  return Array.from({ length: 500 }, (_, item) => ({
    ...numbered(190, (number) => `${item} ${number}`),
    [idField]: `item ${item}`,
  }));
}

/** Returns the same items without further fields. */
function namesOf(idField: string): object[] {
  return Array.from({ length: 500 }, (_, item) => ({ [idField]: `item ${item}` }));
}

const NOTIFICATION = { notificationId: "large", actionUser: { userId: "ada" }, notifyUsers: [{ userId: "ada" }] };
const ACTIVITY = { id: "large", featureType: "comment", actionType: "a", actionUser: { userId: "ada" } };
const { organizationId } = SCOPE;

const AUTHOR = { userId: "ada" };
const FEW_COMMENTS = { annotationId: "large", commentData: [{ commentText: "a", from: AUTHOR }] };
const MANY_FIELDS = numbered(98_000, (number) => `field ${number}`);
const LARGE_COMMENT = { commentId: 7, commentText: "a", from: AUTHOR, context: MANY_FIELDS };
const ANNOTATION = { annotationId: "large", documentId: SCOPE.documentId, organizationId };

type Call = [path: string, data: object];
test.each<[...Call, ...before: Call[]]>([
  ["/v2/organizations/add", { organizations: itemsOf("organizationId") }],
  ["/v2/organizations/documents/add", { organizationId, documents: itemsOf("documentId") }],
  [
    "/v2/organizations/documents/update",
    { organizationId, documents: itemsOf("documentId") },
    ["/v2/organizations/documents/add", { organizationId, documents: namesOf("documentId") }],
  ],
  [
    "/v2/users/update",
    { organizationId, users: itemsOf("userId") },
    ["/v2/users/add", { organizationId, users: namesOf("userId") }],
  ],
  [
    "/v2/notifications/update",
    { ...SCOPE, notifications: [{ id: "large", metadata: numbered(98_000, (number) => `field ${number}`) }] },
    [
      "/v2/notifications/add",
      { ...SCOPE, ...NOTIFICATION, displayHeadlineMessageTemplate: "a", displayBodyMessage: "b" },
    ],
  ],
  ["/v2/crdt/add", { ...SCOPE, editorId: "large", type: "map", data: MANY_FIELDS }],
  [
    "/v2/crdt/update",
    { ...SCOPE, editorId: "changed", type: "map", data: MANY_FIELDS },
    ["/v2/crdt/add", { ...SCOPE, editorId: "changed", type: "map", data: {} }],
  ],
  [
    "/v2/commentannotations/comments/add",
    { ...ANNOTATION, commentData: [LARGE_COMMENT] },
    ["/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [FEW_COMMENTS] }],
  ],
  [
    "/v2/commentannotations/comments/update",
    { ...ANNOTATION, commentIds: [7], updatedData: { context: { ...MANY_FIELDS, last: 2 } } },
    [
      "/v2/commentannotations/add",
      { ...SCOPE, commentAnnotations: [{ ...FEW_COMMENTS, commentData: [LARGE_COMMENT] }] },
    ],
  ],
])("a large body of %s does not hold the event loop for long", ON_BUSY_MACHINES, async (path, data, ...before) => {
  const own = await service.workspace();
  for (const call of before) expect(await own.call(...call)).toMatchObject({ httpStatus: 200 });
  const done = own.call(path, JSON.stringify({ data }));
  await expectShortHold(done);
  const answer = await done;
  expect(answer.httpStatus).toBe(200);
  expect(JSON.stringify(answer.body)).not.toContain('"success":false');
});

test("adding a large immutable activity again does not hold the event loop for long", ON_BUSY_MACHINES, async () => {
  const own = await service.workspace();
  await own.data("/v2/workspace/activityconfig/update", {
    activityServiceConfig: { isEnabled: true, immutable: true },
  });
  const entityData = numbered(98_000, (number) => `field ${number}`);
  const body = JSON.stringify({ data: { ...SCOPE, activities: [{ ...ACTIVITY, entityData }] } });
  expect(await own.call(ADD, body)).toMatchObject({ httpStatus: 200 });
  const again = own.call(ADD, body);
  await expectShortHold(again);
  expect(await again).toMatchObject({ httpStatus: 200 });
  const [item] = JSON.parse(body).data.activities;
  const last = { ...item.entityData, "field 97999": 2 };
  const reordered = { ...item, entityData: Object.fromEntries(Object.entries(item.entityData).reverse()) };
  for (const [other, httpStatus] of [
    [{ ...item, actionType: "b" }, 409],
    [{ ...item, entityData: last }, 409],
    [reordered, 200],
  ]) {
    const compared = own.call(ADD, JSON.stringify({ data: { ...SCOPE, activities: [other] } }));
    await expectShortHold(compared);
    expect(await compared).toMatchObject({ httpStatus });
  }
});

test.each([
  ["60,000 unknown fields", numbered(60_000, (number) => `organizationIe${number}`)],
  ["500 items of 190 unknown fields", { activities: Array(500).fill(numbered(190, (number) => `actionTyp${number}`)) }],
  ["100 unknown fields of 18 kB", numbered(100, (number) => number + "~/".repeat(9_000))],
])("an invalid body with %s does not hold the event loop for long", ON_BUSY_MACHINES, async (_title, data) => {
  const refused = workspace.call(ADD, JSON.stringify({ data }));
  await expectShortHold(refused);
  expect(await refused).toMatchObject({ httpStatus: 400, body: { error: { details: { reason: "unknown_field" } } } });
});

test("refusing a user who is too large does not hold the event loop for long", ON_BUSY_MACHINES, async () => {
  const users = [{ userId: "large", ...numbered(24_000, (number) => `${"k".repeat(64)}${number}`) }];
  const refused = workspace.call("/v2/users/add", JSON.stringify({ data: { organizationId, users } }));
  await expectShortHold(refused);
  const message = "data.users[0] must be at most 64 KiB as JSON text";
  expect(await refused).toMatchObject({ httpStatus: 400, body: { error: { message } } });
});

test("a large record is read back as it was sent, after an update too", async () => {
  const fields = JSON.stringify(numbered(60_000, (number) => `key ${number} 😀\ud800`));
  const long = JSON.stringify("😀".repeat(70_000));
  const entityData = `{"a":0,"1":${fields},"__proto__":[[{}],"\\ud83d"],"a":${long}}`;
  const activity = { id: "large", featureType: "comment", actionType: "a", actionUser: { userId: "ada" } };
  const body = JSON.stringify({ data: { ...SCOPE, activities: [{ ...activity, entityData: "HERE" }] } });
  const added = await workspace.call(
    ADD,
    body.replace('"HERE"', () => entityData),
  );
  expect(added).toMatchObject({ httpStatus: 200 });
  await workspace.data("/v2/activities/update", {
    organizationId: SCOPE.organizationId,
    activities: [{ id: "large", actionIcon: "pen" }],
  });
  const filters = { organizationId: SCOPE.organizationId, activityIds: ["large"] };
  const [stored] = await workspace.data("/v2/activities/get", filters);
  expect(stored).toMatchObject({ actionIcon: "pen" });
  expect(JSON.stringify(stored?.entityData)).toBe(JSON.stringify(JSON.parse(entityData)));
});

test("a large body that is not JSON is refused", async () => {
  const refused = await workspace.call(ADD, `{"data":{"a":[${'"b",'.repeat(90_000)}]}}`);
  const message = /^The body is not JSON: /;
  expect(refused).toMatchObject({
    httpStatus: 400,
    body: { error: { details: { reason: "body_invalid" }, message: expect.stringMatching(message) } },
  });
});

import { expect, test } from "vitest";
import { expectResponsiveEventLoop, KEYS, numbered, ON_BUSY_MACHINES } from "../event-loop.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";
import { size } from "../sizes.ts";

const ADD = "/v2/activities/add";
const TRIES = Array.from({ length: size({ usual: 1, long: 10 }) });
const CHUNK = "x".repeat(64 * 1024);
const ACTIVITY = { id: "large", featureType: "comment", actionType: "a", actionUser: { userId: "ada" } };
/** Number of chunks of a body that is larger than any operation accepts. */
const CHUNKS = 250;

const service = await startTestService();
const workspace = await service.workspace();

/** Sends a request whose body has 16 MB without reading anything, and returns the response. */
async function sendTooMuch(headers: Record<string, string>, chunk: string) {
  const connection = await RawConnection.open(service.address);
  connection.socket.pause();
  await connection.send(requestText(ADD, { ...workspace.headers, ...headers }, ""));
  for (let sent = 0; sent < CHUNKS; sent++) await connection.send(chunk);
  connection.socket.resume();
  const response = await connection.respond();
  connection.socket.destroy();
  return response;
}

const TOO_LARGE = { httpStatus: 413, body: { error: { details: { reason: "body_too_large" } } } };

test.each([
  ["with its length", { "content-length": String(CHUNKS * CHUNK.length) }, CHUNK],
  ["of unknown length", { "transfer-encoding": "chunked" }, `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`],
])("a client that sends a body over the limit, %s, before it reads always gets the 413", async (_, headers, chunk) => {
  for (const _try of TRIES) {
    const response = await sendTooMuch(headers, chunk);
    expect(response).toMatchObject(TOO_LARGE);
    expect(response.headers.get("connection")).toBe("close");
  }
});

test.each<[title: string, path: string, headers: Record<string, string>, httpStatus: number]>([
  ["without credentials", ADD, {}, 403],
  ["with a wrong token", ADD, { ...workspace.headers, "x-service-auth-token": "wrong" }, 403],
  ["of an unknown operation", "/v2/unknown", {}, 404],
  ["of another media type", ADD, { ...workspace.headers, "content-type": "text/plain" }, 415],
  ["that is compressed", ADD, { ...workspace.headers, "content-encoding": "gzip" }, 415],
  ["with too large a length", ADD, { ...workspace.headers, "content-length": "2097153" }, 413],
  [
    "that is public and has too large a length",
    "/v2/workspace/email/send-login-link",
    { "content-length": "16385" },
    413,
  ],
])("a request %s is rejected before its body arrives", async (_title, path, headers, httpStatus) => {
  const connection = await RawConnection.open(service.address);
  await connection.send(requestText(path, { "content-length": "1000000", ...headers }, '{"data":'));
  const response = await connection.respond();
  expect(response.httpStatus).toBe(httpStatus);
  expect(response.headers.get("connection")).toBe("close");
  connection.socket.destroy();
});

test("a body that exceeds a limit is rejected before it is complete", async () => {
  const connection = await RawConnection.open(service.address);
  const values = `{"data":[${"0,".repeat(100_001)}`;
  await connection.send(requestText(ADD, { ...workspace.headers, "content-length": "1000000" }, values));
  expect(await connection.respond()).toMatchObject({
    httpStatus: 400,
    body: { error: { status: "INVALID_ARGUMENT" } },
  });
  connection.socket.destroy();
});

// `event-loop.long.test.ts` has bodies of every kind.
test("a large body does not block the event loop for long", ON_BUSY_MACHINES, async () => {
  const added = workspace.call(ADD, { ...SCOPE, activities: [{ ...ACTIVITY, entityData: KEYS }] });
  await expectResponsiveEventLoop(added);
  expect(await added).toMatchObject({ httpStatus: 200 });
});

test("merging a large body into records does not block the event loop for long", ON_BUSY_MACHINES, async () => {
  const { organizationId } = SCOPE;
  const own = await service.workspace();
  const users = Array.from({ length: 500 }, (_, user) => ({ userId: `user ${user}` }));
  await own.data("/v2/users/add", { organizationId, users });
  const fields = (user: number) => numbered(190, (number) => `${user} ${number}`);
  const changed = users.map(({ userId }, user) => ({ userId, ...fields(user) }));
  const updated = own.call("/v2/users/update", { organizationId, users: changed });
  await expectResponsiveEventLoop(updated);
  expect(await updated).toMatchObject({ httpStatus: 200 });
});

test("rejecting a large body does not block the event loop for long", ON_BUSY_MACHINES, async () => {
  const rejected = workspace.call(
    ADD,
    numbered(60_000, (number) => `organizationIe${number}`),
  );
  await expectResponsiveEventLoop(rejected);
  expect(await rejected).toMatchObject({ httpStatus: 400, body: { error: { details: { reason: "unknown_field" } } } });
});

test("a large record is read back as it was sent, after an update too", async () => {
  const fields = JSON.stringify(numbered(60_000, (number) => `key ${number} 😀\ud800`));
  const long = JSON.stringify("😀".repeat(70_000));
  const entityData = `{"a":0,"1":${fields},"__proto__":[[{}],"\\ud83d"],"a":${long}}`;
  const body = JSON.stringify({ data: { ...SCOPE, activities: [{ ...ACTIVITY, entityData: "HERE" }] } });
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

test("a large body that is not JSON is rejected", async () => {
  const rejected = await workspace.call(ADD, `{"data":{"a":[${'"b",'.repeat(90_000)}]}}`);
  const message = /^The body is not JSON: /;
  expect(rejected).toMatchObject({
    httpStatus: 400,
    body: { error: { details: { reason: "body_invalid" }, message: expect.stringMatching(message) } },
  });
});

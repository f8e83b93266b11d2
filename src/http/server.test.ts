import pino from "pino";
import Type from "typebox";
import { expect, test } from "vitest";
import { WORKSPACE } from "../../test/workspace.ts";
import { Cipher } from "../config/cipher.ts";
import { LIMITS } from "../config/limits.ts";
import { UserTokenKeys } from "../config/user-token-keys.ts";
import { ERROR_CATALOGUE, type ErrorStatus } from "../contract/error-catalogue.ts";
import { ERROR_KINDS, type Reason, ServiceError, unavailable } from "../contract/errors.ts";
import { type AuthenticatedOperation, JsonText, type Operation, operation } from "../contract/operation.ts";
import { SCOPES } from "../contract/scopes.ts";
import { FairSemaphore } from "../database/fair-semaphore.ts";
import { Mailer } from "../email/mailer.ts";
import { Outbox } from "../email/outbox.ts";
import { LogFollower } from "../features/events/follow.ts";
import { getEvents } from "../features/events/get.ts";
import { OutgoingConnections } from "../outgoing/connections.ts";
import { Authentication } from "./authentication.ts";
import { CrossOrigin } from "./cross-origin.ts";
import { LookupCaches } from "./lookup-cache.ts";
import { createMetrics } from "./metrics.ts";
import { PageTokens } from "./page-token.ts";
import { createServer, registerOperations, type ServerOptions } from "./server.ts";
import { SessionAuthentication } from "./session-authentication.ts";
import { SessionCookies } from "./session-cookies.ts";
import { UserTokenAuthentication } from "./user-token-authentication.ts";
import { WrongCredentials } from "./wrong-credentials.ts";

const PATH = "/v2/things/do";
const HEADERS = { "x-service-api-key": "key", "x-service-auth-token": "token" };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REASONS = Object.keys(ERROR_KINDS).filter((name): name is Reason => name in ERROR_KINDS);

/** Returns an operation that only exists in these tests. */
function thingOperation(
  handle: AuthenticatedOperation["handle"],
  contract: Partial<AuthenticatedOperation> = {},
): AuthenticatedOperation {
  const request = Type.Object({});
  const given = { path: PATH, summary: "Do", message: "Done.", scope: "write", request, example: {} } as const;
  return { ...operation({ ...given, handle: async () => undefined }), ...contract, handle };
}

/** Starts a server without a database. Returns it with the lines of its log. */
async function serve(operations: Operation[], options: Partial<ServerOptions> = {}) {
  const lines: string[] = [];
  const caches = new LookupCaches();
  caches.setEnabled(true);
  const load = { total: 0, idle: 0, waiting: 0 };
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const wrongCredentials = new WrongCredentials(LIMITS.wrongCredentials);
  const userTokenKeys = new UserTokenKeys([Buffer.alloc(32)]);
  const token = { id: "token", name: "test", workspaceId: WORKSPACE.id, scopes: SCOPES, expiresAt: undefined };
  const server = createServer({ trustProxy: false, limits: LIMITS }, log);
  const metrics = createMetrics({
    database: { poolUsage: load },
    probe: { check: async () => ({ reading: "ok", writing: "ok" }) },
    jobs: { depth: async () => [], failures: {} },
    mailCounts: { sent: 0 },
    ...{ webhookAttempts: {}, keyFetches: {}, expiredRows: {} },
    ...{ overloadRejections: server.overloadRejections, limitRejections: server.limitRejections },
    documentSync: { counts: { sockets: 0, documents: 0 }, closings: {} },
    files: { counts: { transfers: {}, failures: {} }, readStored: async () => [] },
    streams: { open: 0 },
    isWorker: false,
  });
  await registerOperations(server, {
    operations,
    recordRequest: () => {},
    events: {
      operation: getEvents,
      follow: (caller, request: object) => new LogFollower(caller, Object(request), { checksCaller: true }),
      opened: () => () => {},
      limits: LIMITS.streams,
    },
    context: {
      database: Object({ forMember: () => ({ load }) }),
      jobs: { send: async () => [], depth: async () => [] },
      mailer: new Mailer({
        smtpUrl: undefined,
        mailFrom: "colloquy@localhost",
        outbox: new Outbox(""),
        connections: new OutgoingConnections({ allowPrivateAddresses: false }),
      }),
      files: Object({}),
      publicUrl: undefined,
      host: { version: "test", readDisk: async () => ({ freeBytes: 1, totalBytes: 2 }), retention: Object({}) },
      secrets: new Cipher([Buffer.alloc(32)], "test"),
      userTokenKeys,
      headerPrefixes: ["service"],
      allowPrivateAddresses: false,
      workspaceChanged: () => {},
      events: {
        retentionMs: 0,
        extendLogSoon() {},
        ...{ startMs: 0, presence: Object({}) },
        subscribe: () => ({ wait() {}, wake() {}, take: () => ({ reason: "ended", position: 0 }), end() {} }),
        signCursor: () => "",
        verifyCursor: () => undefined,
      },
    },
    recordAuditEntries: async () => {},
    respondOnce: async () => ({ body: "", isRepeated: false }),
    findRoles: async () => [],
    findEventCursor: async () => undefined,
    authentication: new Authentication({
      findRevokedToken: async () => undefined,
      headerPrefixes: ["service"],
      findCaller: async () => ({ workspace: WORKSPACE, token }),
      caches,
      wrongCredentials,
    }),
    sessions: new SessionAuthentication({
      sessionCookies: new SessionCookies("http://localhost"),
      findSession: async () => undefined,
      caches,
      wrongCredentials,
    }),
    userTokens: new UserTokenAuthentication({
      keys: userTokenKeys,
      findCaller: async () => ({ workspace: undefined, revocation: undefined }),
      verifyIssuerToken: () => Promise.reject(new Error("no token of another issuer is sent")),
      caches,
      wrongCredentials,
    }),
    crossOrigin: new CrossOrigin({
      publicUrl: "http://localhost",
      headerPrefixes: ["service"],
      isHostAllowed: async () => false,
      caches,
    }),
    pageTokens: new PageTokens([Buffer.alloc(32)]),
    metrics,
    log,
    admission: new FairSemaphore({ maxPermits: 10, maxWaiting: 10, maxWaitMs: 60_000 }, new Error("overloaded")),
    checkResponses: true,
    ...options,
  });
  async function send(url = PATH, headers: Record<string, string> = {}, payload = "") {
    const response = await server.inject({ method: "POST", url, headers: { ...HEADERS, ...headers }, payload });
    return { httpStatus: response.statusCode, headers: response.headers, body: response.json() };
  }
  return { send, lines, metrics };
}

test.each(REASONS)("%s is returned with its status, HTTP code, message and details", async (reason) => {
  const error = new ServiceError(reason, "Change this.", { details: { domainsAdded: ["a"] } });
  const kind: { status: ErrorStatus; httpStatus?: number } = ERROR_KINDS[reason];
  const { send } = await serve([thingOperation(() => Promise.reject(error))]);
  const { httpStatus, body } = await send();
  const details = { reason, domainsAdded: ["a"] };
  expect(body).toEqual({ error: { status: kind.status, message: "Change this.", details } });
  expect(httpStatus).toBe(kind.httpStatus ?? ERROR_CATALOGUE[kind.status].httpStatus);
});

test("an error can have Retry-After and an HTTP code other than the catalogue's", async () => {
  const error = new ServiceError("rate_limited", "Wait.", { httpStatus: 409, retryAfterSeconds: 7 });
  const { send } = await serve([thingOperation(() => Promise.reject(error))]);
  const { httpStatus, headers } = await send();
  expect([httpStatus, headers["retry-after"]]).toEqual([409, "7"]);
});

test.each([new Error("secret cause"), "secret cause", null])(
  "an unknown error is INTERNAL and contains only the request ID, under which the log has the cause",
  async (cause) => {
    const { send, lines } = await serve([thingOperation(() => Promise.reject(cause))]);
    const { httpStatus, headers, body } = await send();
    const id = headers["x-request-id"];
    const message = `Something went wrong on our side. The log has it as request ${id}.`;
    const details = { reason: "internal_error" };
    expect([httpStatus, body]).toEqual([500, { error: { status: "INTERNAL", message, details } }]);
    const line = lines.find((one) => one.includes("a request failed")) ?? "";
    expect(JSON.parse(line)).toMatchObject({ requestId: id, path: PATH, level: 50 });
    expect(lines).toHaveLength(1);
    if (cause instanceof Error) expect(line).toContain("secret cause");
  },
);

test("an unknown transfer coding is an error of the caller, which is logged as such", async () => {
  const { send, lines } = await serve([thingOperation(async () => undefined)]);
  expect(await send(PATH, { "transfer-encoding": "gzip, chunked" })).toMatchObject({ httpStatus: 501 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 30, path: PATH, status: "INVALID_ARGUMENT", msg: "a request was rejected" }),
  ]);
});

test.each([
  ["data", { data: [1] }, { status: "success", message: "Done.", data: [1] }],
  ["null", { data: null }, { status: "success", message: "Done.", data: null }],
  [
    "JSON that is already serialized",
    { data: new JsonText('{"__proto__":1}') },
    JSON.parse('{"data":{"__proto__":1}}'),
  ],
])("an operation that returns %s responds with it", async (_title, { data }, result) => {
  const { send } = await serve([thingOperation(async () => data, { response: Type.Unknown() })]);
  expect(await send()).toMatchObject({ httpStatus: 200, body: { result } });
});

test("an operation without a response schema has no data in its response", async () => {
  const { send } = await serve([thingOperation(async () => undefined)]);
  expect((await send()).body).toEqual({ result: { status: "success", message: "Done." } });
});

test.each([
  [true, 500],
  [false, 200],
])("with checkResponses %s a response unlike its schema is HTTP %i", async (checkResponses, httpStatus) => {
  const { send } = await serve([thingOperation(async () => "text", { response: Type.Integer() })], { checkResponses });
  expect(await send()).toMatchObject({ httpStatus });
});

test("every response of a deprecated operation says since when it is, as RFC 9745 defines", async () => {
  const { send } = await serve([thingOperation(async () => undefined, { deprecatedOn: "2027-03-01" })]);
  const responses = [await send(), await send(PATH, {}, "{"), await send(PATH, { "x-service-api-key": "unknown" })];
  expect(responses.map(({ headers }) => headers.deprecation)).toEqual(Array(3).fill("@1803859200"));
  const current = await serve([thingOperation(async () => undefined)]);
  expect((await current.send()).headers.deprecation).toBeUndefined();
});

test("an operation is also served at its aliases", async () => {
  const { send } = await serve([thingOperation(async () => undefined, { aliases: ["/v1/things/do"] })]);
  expect(await send("/v1/things/do")).toMatchObject({ httpStatus: 200, body: { result: { message: "Done." } } });
});

test.each(["/", "/v2/things/undo", "/v1/things/do", "/V2/things/do", `${PATH}/`, "/v2//things/do"])(
  "the unknown path %s is NOT_FOUND",
  async (url) => {
    const { send } = await serve([thingOperation(async () => undefined)]);
    const { httpStatus, headers, body } = await send(url);
    const error = { status: "NOT_FOUND", message: expect.any(String), details: { reason: "operation_unknown" } };
    expect([httpStatus, body]).toEqual([404, { error }]);
    expect(headers["x-request-id"]).toMatch(UUID);
  },
);

test("a malformed path is NOT_FOUND like any unknown one, with a request ID", async () => {
  const { send } = await serve([thingOperation(async () => undefined)]);
  const { httpStatus, headers, body } = await send("/v2/things/%zz");
  expect([httpStatus, body]).toEqual([404, (await send("/v2/unknown")).body]);
  expect(headers["x-request-id"]).toMatch(UUID);
});

test("every response has a unique request ID, or the caller's if it is well-formed", async () => {
  const { send } = await serve([thingOperation(async () => undefined)]);
  const [first, second] = [await send(), await send()].map(({ headers }) => headers["x-request-id"]);
  expect([first, second]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
  expect(first).not.toBe(second);
  expect((await send(PATH, { "x-request-id": "Order_7.retry-2" })).headers["x-request-id"]).toBe("Order_7.retry-2");
});

test.each(["", "two words", "x".repeat(65), '{"a":1}', "é"])("%j is not accepted as a request id", async (given) => {
  const { send } = await serve([thingOperation(async () => undefined)]);
  expect((await send(PATH, { "x-request-id": given })).headers["x-request-id"]).toMatch(UUID);
});

test("the log names request, operation and outcome, and contains no API key or auth token", async () => {
  const { send, lines } = await serve([
    thingOperation(() => Promise.reject(new ServiceError("not_found", "Nothing there."))),
  ]);
  const requestId = (await send(PATH, { "x-service-auth-token": "secret-token" })).headers["x-request-id"];
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ requestId, path: PATH, status: "NOT_FOUND", durationMs: expect.any(Number) }),
  );
  expect(lines.join()).not.toContain("secret-token");
});

test("the log and the metrics name the requested path, even if it is an alias", async () => {
  const { send, lines, metrics } = await serve([thingOperation(async () => undefined, { aliases: ["/v1/things/do"] })]);
  await send("/v1/things/do?a=b");
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(["/v1/things/do"]);
  expect(await metrics.text()).toContain('_count{operation="/v1/things/do",status="OK"} 1');
});

test("UNAVAILABLE is logged as one warning with its reason and without a stack", async () => {
  const error = unavailable("database_unavailable", "Try later.", { cause: new Error("Connection terminated") });
  const { send, lines } = await serve([thingOperation(() => Promise.reject(error))]);
  await send();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, path: PATH, status: "UNAVAILABLE", reason: "Connection terminated" }),
  ]);
  expect(lines[0]).not.toContain("stack");
});

test.each<[headers: Record<string, string>, httpStatus: number]>([
  [{ "content-type": "application/json", "content-encoding": "gzip" }, 415],
  [{ "content-type": "application/json; charset=iso-8859-1" }, 415],
  [{ "content-type": 'application/json;CHARSET="utf-16"' }, 415],
  [{ "content-type": 'application/json; charset="UTF-8"', "content-encoding": "identity" }, 200],
  [{ "content-type": "application/json;charset=utf8" }, 200],
])("a body sent with %j is HTTP %i", async (headers, httpStatus) => {
  const { send } = await serve([thingOperation(async () => undefined)]);
  const { httpStatus: sent, body } = await send(PATH, headers, '{"data":{}}');
  expect(sent).toBe(httpStatus);
  if (httpStatus === 415) expect(body.error.details).toEqual({ reason: "media_type_unsupported" });
});

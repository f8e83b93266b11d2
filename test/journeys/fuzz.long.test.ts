import fc from "fast-check";
import { Compile } from "typebox/compile";
import { beforeAll, describe, expect, test } from "vitest";
import { getPaths, type Operation } from "../../src/contract/operation.ts";
import { buildResponseSchema } from "../../src/http/response-schema.ts";
import { isObject } from "../../src/json/is-object.ts";
import { operations } from "../../src/operations.ts";
import { readRows } from "../database-rows.ts";
import { ASSIGNED_IDS, PREFERRED_COMBINATIONS, PREFERRED_VALUES } from "../fuzz-values.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { buildBody, invalidRequests, validRequests, withDuplicates } from "../request-arbitraries.ts";
import { withUnknownFields } from "../request-variants.ts";
import { SEED } from "../seed.ts";
import { size } from "../sizes.ts";

/** Number of runs; FUZZ_RUNS sets another one. */
const RUNS = Number(process.env.FUZZ_RUNS ?? size({ usual: 75, long: 1_500 }));
const SETTINGS = {
  // Limits how long fast-check shrinks a failing case.
  interruptAfterTimeLimit: size({ usual: 150_000, long: 3_000_000 }),
  markInterruptAsFailure: true,
};
/** Minimum number of rounds after which the share of effective calls of each operation is significant. */
const MIN_ROUNDS_TO_JUDGE = 300;
const CALLS_AT_ONCE = 8;
const RUNS_OF_PART = 50;
/** Minimum share of an operation's valid calls that find or change something. */
const MIN_EFFECTIVE_SHARE = 0.1;
/** Operations that need what no calls make: a session, a mail, the key in a field, a finished deletion, a delivery. */
const CANNOT_SUCCEED = new Set([
  ...["/v2/workspace/sessions/get", "/v2/workspace/sessions/delete"],
  ...["/v2/workspace/mails/get", "/v2/workspace/outbox/mails/get", "/v2/workspace/authtoken/reset"],
  "/v2/users/data/deletions/receipt/get",
  ...["payload/get", "retry"].map((name) => `/v2/workspace/advancedwebhook/deliveries/${name}`),
]);
/** Maximum number of other operations below that share, which chance alone brings there. */
const MAX_RARELY_EFFECTIVE = 4;

const service = await startOwnTestService();
const openApi: unknown = await (await fetch(`${service.address}/openapi.json`)).json();
const errorResponse = Compile(Object(at(openApi, "components", "schemas", "Error")));

interface Call {
  path: string;
  body: string;
  /** Whether the operation must reject the body. */
  isInvalid: boolean;
}

interface Endpoint {
  path: string;
  response: ReturnType<typeof Compile>;
  /** Whether the data of every response is an empty object. */
  hasNoData: boolean;
  valid: fc.Arbitrary<Call>;
  invalid: fc.Arbitrary<Call>;
  repetitive: fc.Arbitrary<Call>;
}

const endpoints = operations.flatMap((operation) => getPaths(operation).map((path) => toEndpoint(path, operation)));
const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
const operationAt = new Map(operations.flatMap((operation) => getPaths(operation).map((path) => [path, operation])));
/** Calls that add, set or update records. */
const fillingCalls = fc.oneof(
  ...endpoints
    .filter(({ path }) => /\/(add|set|update)$/.test(path) && !path.includes("disablestate"))
    .map(({ path, valid }) => ({ weight: path.endsWith("/add") ? 3 : 1, arbitrary: valid })),
);
/** Valid calls. Adds are more frequent, so that other calls find records. */
const validCalls = fc.oneof(
  ...endpoints.map(({ path, valid }) => ({ weight: path.endsWith("/add") ? 3 : 1, arbitrary: valid })),
);
const invalidCalls = fc.oneof(...endpoints.map(({ invalid }) => invalid));
const repetitiveCalls = fc.oneof(...endpoints.map(({ repetitive }) => repetitive));
const calls = fc.oneof(
  { weight: 12, arbitrary: validCalls },
  { weight: 6, arbitrary: invalidCalls },
  { weight: 1, arbitrary: repetitiveCalls },
);

function toEndpoint(path: string, operation: Operation): Endpoint {
  const any = validRequests(operation.request, PREFERRED_VALUES);
  const together = PREFERRED_COMBINATIONS[operation.path];
  const likely = together
    ? fc.oneof({ weight: 1, arbitrary: any }, { weight: 9, arbitrary: fc.tuple(any, together).map(joined) })
    : any;
  const unknown = { unknownField: [null], ["__proto__"]: 1, constructor: {} };
  const withUnknown = likely.map((request) => withUnknownFields(operation.request, request, unknown));
  const toCall = (isInvalid: boolean) => (body: string) => ({ path, body, isInvalid });
  const bodies = likely.map(buildBody);
  const invalid = invalidRequests(operation.request, likely).map(buildBody);
  return {
    path,
    response: Compile(buildResponseSchema(operation, { additionalProperties: false })),
    hasNoData: JSON.stringify(at(operation.response, "properties")) === "{}",
    valid: bodies.map(toCall(false)),
    invalid: fc
      .oneof(
        { weight: 20, arbitrary: invalid },
        { weight: 4, arbitrary: withUnknown.map(buildBody) },
        { weight: 1, arbitrary: bodies.chain(invalidBodies) },
      )
      .map(toCall(true)),
    repetitive: likely.map(withDuplicates).map(buildBody).map(toCall(false)),
  };
}

function joined([request, fields]: [unknown, object]): object {
  return { ...Object(request), ...fields };
}

/** Returns bodies that are truncated or nested deeper than 64 levels. */
function invalidBodies(body: string): fc.Arbitrary<string> {
  const cut = fc.nat(body.length - 1).map((length) => body.slice(0, length) || "{");
  const deep = fc.constantFrom(64, 65, 100_000).map((levels) => {
    return `{"further":${"[".repeat(levels)}${"]".repeat(levels)},${body.slice(1)}`;
  });
  return fc.oneof(cut, deep);
}

function at(value: unknown, ...names: string[]): unknown {
  return names.reduce((part: unknown, name) => (isObject(part) ? part[name] : undefined), value);
}

/** Returns the settings of parts of the runs: each run of fast-check takes longer to generate than the one before. */
function* getParts(count: number): Generator<{ seed: number; numRuns: number }> {
  for (let done = 0; done < count; done += RUNS_OF_PART) {
    yield { seed: SEED + done, numRuns: Math.min(RUNS_OF_PART, count - done) };
  }
}

/** Sends generated calls in order, a few at a time, the same to each workspace. */
async function sendSamples(workspaces: TestWorkspace[], calls: fc.Arbitrary<Call>, count: number): Promise<void> {
  for (const part of getParts(count)) {
    const all = fc.sample(calls, part);
    await Promise.all(workspaces.map((workspace) => sendAll(workspace, all)));
  }
}

async function sendAll(workspace: TestWorkspace, all: Call[]): Promise<void> {
  for (let first = 0; first < all.length; first += CALLS_AT_ONCE) {
    await Promise.all(all.slice(first, first + CALLS_AT_ONCE).map((call) => send(workspace, call)));
  }
}

/** The latest IDs that the service has assigned in a workspace, by the names that requests have for them. */
const assigned = new WeakMap<TestWorkspace, Record<string, unknown>>();

/** Returns the body with the credentials of the workspace and the IDs that the service has assigned in it. */
function fillIn(workspace: TestWorkspace, body: string): string {
  const { apiKey, authToken } = workspace;
  const values: Record<string, unknown> = { apiKey, authToken, ...assigned.get(workspace) };
  return body.replace(/"<(\w+)>"/g, (placeholder, name) => JSON.stringify(values[name] ?? placeholder));
}

function saveAssigned(workspace: TestWorkspace, path: string, body: unknown): void {
  const [name, ...steps] = ASSIGNED_IDS[path] ?? [];
  const id = at(at(body, "result") ?? body, "data", ...steps);
  if (name !== undefined && typeof id === "string") {
    assigned.set(workspace, { ...assigned.get(workspace), [name]: id });
  }
}

/** Returns the body of the response. If the response violates the contract, throws an error that contains the call. */
async function send(workspace: TestWorkspace, call: Call, strangers: TestWorkspace[] = []): Promise<unknown> {
  const { httpStatus, body } = await workspace.call(call.path, fillIn(workspace, call.body));
  saveAssigned(workspace, call.path, body);
  const text = JSON.stringify(body);
  const foreign = strangers.flatMap(({ id, apiKey }) => [id, apiKey]).filter((mark) => text.includes(mark));
  const errors = [
    ...findErrors(call, httpStatus, body),
    ...foreign.map((mark) => `shows ${mark} of another workspace`),
  ];
  if (errors.length === 0) return body;
  throw new Error(
    [`POST ${call.path}`, call.body, `has the response HTTP ${httpStatus}`, text.slice(0, 5_000), ...errors].join("\n"),
  );
}

function findErrors({ path, isInvalid }: Call, httpStatus: number, body: unknown): string[] {
  if (httpStatus === 200 || httpStatus === 202) {
    const errors = byPath.get(path)?.response.Errors(body) ?? [];
    return [...(isInvalid ? ["an invalid request succeeded"] : []), ...errors.map((error) => JSON.stringify(error))];
  }
  const status = String(at(body, "error", "status"));
  // One of these calls starts a migration of the document, which ends soon.
  const isMigrating = at(body, "error", "details", "reason") === "document_being_migrated";
  const response = at(openApi, "paths", path, "post", "responses", String(httpStatus));
  const isDocumented = at(response, "content", "application/json", "examples", status) !== undefined;
  // An invalid body may be too large as well.
  const isRecordError = status === "INVALID_ARGUMENT" && (httpStatus === 400 || httpStatus === 413);
  return [
    ...(httpStatus >= 500 && !isMigrating ? ["the service failed"] : []),
    ...(isDocumented ? [] : [`${status} with HTTP ${httpStatus} is not documented`]),
    ...(isInvalid && !isRecordError ? ["an invalid request is not INVALID_ARGUMENT"] : []),
    ...errorResponse.Errors(body).map((error) => JSON.stringify(error)),
  ];
}

/** Returns whether the call found or changed something. A list whose items all failed does not count. */
function hasEffect(path: string, body: unknown): boolean {
  const result = at(body, "result") ?? body;
  const data = at(result, "data");
  if (at(result, "status") !== "success") return false;
  if (typeof data !== "object" || data === null) return true;
  const results = Object.values(data);
  if (byPath.get(path)?.hasNoData) return true;
  return results.some((result) => !isObject(result) || result.success !== false);
}

/** Returns whether the call starts no job that deletes or moves data after the response. */
function isWithoutJob({ path }: Call): boolean {
  return !/\/(organizations|documents|folders|data)\/(delete|migrate)$/.test(path);
}

describe("without jobs, which would change rows at any time", () => {
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await service.workspace();
    await sendSamples([workspace], fillingCalls, 100);
  });

  test("an invalid request changes nothing", async () => {
    const before = await readRows(service.database);
    await sendSamples([workspace], invalidCalls, size({ usual: 250, long: 5_000 }));
    expect(await readRows(service.database)).toEqual(before);
  });

  test("a request that only the operation can reject as INVALID_ARGUMENT changes nothing", async () => {
    let before = await readRows(service.database);
    for (const part of getParts(size({ usual: 30, long: 500 }))) {
      for (const call of fc.sample(repetitiveCalls.filter(isWithoutJob), part)) {
        const response = await send(workspace, call);
        const after = await readRows(service.database);
        if (at(response, "error", "status") === "INVALID_ARGUMENT") expect(after, call.body).toEqual(before);
        before = after;
      }
    }
  });
});

// Runs last because its calls start jobs.
test("every call, valid or invalid, gets a response of its contract and changes no other workspace", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await sendSamples([workspace, other], fillingCalls, size({ usual: 75, long: 400 }));
  const before = await readRows(service.database, { exceptWorkspaceId: workspace.id });
  // An operation has one share for all of its paths, as few calls of each say little.
  const shares = new Map(operations.map((operation) => [operation, { sent: 0, fruitful: 0, last: "" }]));

  async function sendAndCount(call: Call): Promise<void> {
    const response = await send(workspace, call, [other]);
    const operation = operationAt.get(call.path);
    const share = operation && shares.get(operation);
    // A move of the document, which waits for the deletions of users, says nothing about the operation.
    const isMigrating = at(response, "error", "details", "reason") === "document_being_migrated";
    if (share && !call.isInvalid && !isMigrating) {
      share.sent++;
      if (hasEffect(call.path, response)) share.fruitful++;
      else share.last = JSON.stringify(response).slice(0, 300);
    }
    const pageToken = at(response, "result", "pageToken") ?? at(response, "result", "nextPageToken");
    if (typeof pageToken !== "string") return;
    const request = { ...Object(at(JSON.parse(call.body), "data")), pageToken };
    const next = await send(workspace, { ...call, body: buildBody(request) }, [other]);
    expect(at(next, "error", "status"), "its own page token is refused").not.toBe("INVALID_ARGUMENT");
  }

  const together = fc.array(calls, { minLength: CALLS_AT_ONCE, maxLength: CALLS_AT_ONCE });
  const property = fc.asyncProperty(together, async (some) => {
    await Promise.all(some.map(sendAndCount));
  });
  await fc.assert(property, { ...SETTINGS, seed: SEED, numRuns: RUNS });

  expect(await readRows(service.database, { exceptWorkspaceId: workspace.id })).toEqual(before);
  if (RUNS < MIN_ROUNDS_TO_JUDGE) return;
  const rarelyEffective = [...shares].filter(
    ([{ path }, { sent, fruitful }]) => fruitful < MIN_EFFECTIVE_SHARE * sent && !CANNOT_SUCCEED.has(path),
  );
  expect(
    rarelyEffective.length,
    `hardly ever succeed: ${JSON.stringify(
      rarelyEffective.map(([{ path }, share]) => [path, share]),
      null,
      1,
    )}`,
  ).toBeLessThanOrEqual(MAX_RARELY_EFFECTIVE);
});

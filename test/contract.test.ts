import { Compile } from "typebox/compile";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, test } from "vitest";
import { pathsOf } from "../src/contract/operation.ts";
import { addToken, createToken, revokeToken } from "../src/features/workspaces/workspaces.ts";
import { answerSchema } from "../src/http/check-answer.ts";
import { operations } from "../src/operations.ts";
import { readRows } from "./database-rows.ts";
import { exampleIn, neededAdds, steadyPart, successOf } from "./examples.ts";
import { addActivities } from "./factories.ts";
import { post, send, startOwnTestService, type TestWorkspace } from "./harness.ts";
import { badValues, change, fieldsOf, fullRequest, largeBody, withUnknownFields } from "./request-variants.ts";

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_DEPTH = 64;
/** In every field that is sent though no schema names it. */
const UNKNOWN = "unknown to the schema";
const service = await startOwnTestService((config) => ({ authHeaderBrands: [...config.authHeaderBrands, "acme"] }));

/** For requests that are refused; it stays empty. */
const emptyWorkspace = await service.workspace();

/** An operation at each of its paths. */
const endpoints = operations.flatMap((operation) =>
  pathsOf(operation).map((path) => ({
    path,
    operation,
    example: operation.example,
    isDataRequired: !Check(operation.request, {}),
  })),
);
const fields = endpoints.flatMap(({ path, operation }) =>
  fieldsOf(operation.request).map((field) => ({
    ...field,
    path,
    request: fullRequest(operation.request, operation.example),
  })),
);

function refusal(httpStatus: number, status: string, message: string | RegExp = /./): object {
  return { httpStatus, body: { error: { status, message: expect.stringMatching(message) } } };
}

/** A new workspace in which the examples that the operation's own one needs have run. */
async function preparedWorkspace(path: string): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  for (const needed of neededAdds(path)) {
    const add = endpoints.find((other) => other.path !== path && other.path === needed);
    if (add) await workspace.uncheckedResult(add.path, add.example);
  }
  return workspace;
}

/** A new workspace with data under the ids that the examples name. */
async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  for (const { path, example } of operations.filter(({ path }) => path.endsWith("/add"))) {
    await workspace.uncheckedResult(path, example);
  }
  await addActivities(workspace, ["activity-1", "activity-2"]);
  await addActivities(workspace, ["activity-1"], { organizationId: "acme-archive" });
  return workspace;
}

/** What the workspace can read, with the examples and beyond them. */
async function readAll(workspace: TestWorkspace): Promise<unknown[]> {
  const reads = [
    ...endpoints.filter(({ path }) => path.endsWith("/get")),
    { path: "/v1/organizations/get", example: {} },
    { path: "/v2/activities/get", example: { organizationId: "acme" } },
    { path: "/v2/activities/get", example: { organizationId: "acme-archive" } },
  ];
  return Promise.all(reads.map(async ({ path, example }) => steadyPart(await workspace.call(path, example))));
}

const emptyAnswers = await readAll(emptyWorkspace);
/** For requests that read. */
const fullWorkspace = await filledWorkspace();

describe.each(endpoints)("$path", ({ path, operation, example, isDataRequired }) => {
  const url = `${service.address}${path}`;

  // Sign-in links may be asked for a few times only; the tests ask for more.
  if (operation.authentication === "none") beforeEach(() => service.database.query("delete from login_attempts"));

  test("its example works on a new workspace, after that of its add", async () => {
    const workspace = await preparedWorkspace(path);
    const answer = await workspace.call(path, await exampleIn(workspace, path, example));
    expect(answer).toMatchObject(successOf(operation));
  });

  test("its answer is what its schema says", async () => {
    const workspace = path.endsWith("/get") ? fullWorkspace : await preparedWorkspace(path);
    const { body } = await workspace.call(path, await exampleIn(workspace, path, example));
    expect(Compile(answerSchema(operation)).Errors(body)).toEqual([]);
  });

  test.each([
    ["no JSON", "{'data': {}}", /^the body is not JSON/],
    ["a byte order mark", '\ufeff{"data":{}}', /byte order mark$/],
    ["a number that is none in JavaScript", '{"data":{"n":[1e400]}}', /^data\.n\[0\] must be a number/],
    ["JSON with something behind it", '{"data":{}} {}', /^the body is not JSON/],
    ["no UTF-8", Buffer.from('{"data":{"organizationId":"\xff"}}', "latin1"), /^the body is not UTF-8/],
    ["a list", "[]", /^the body must be a JSON object/],
    ["null", "null", /^the body must be a JSON object/],
    ["a text", '"data"', /^the body must be a JSON object/],
    ["an object whose data is null", '{"data":null}', /^data must be an object/],
    ["an object whose data is a list", '{"data":[]}', /^data must be an object/],
    ["an object whose data is a text", '{"data":"{}"}', /^data must be an object/],
  ])("a body that is %s is INVALID_ARGUMENT and says so", async (_title, body, message) => {
    const answer = await emptyWorkspace.call(path, body);
    expect(answer).toMatchObject(refusal(400, "INVALID_ARGUMENT", message));
  });

  test.each(["", "{}", '{"data":{}}'])(`the body %j is ${isDataRequired ? "refused" : "enough"}`, async (body) => {
    const answer = await (await service.workspace()).call(path, body);
    const refused = refusal(400, "INVALID_ARGUMENT", /^data(\.\w+)? (is required|must have (at least )?one of)/);
    expect(answer).toMatchObject(isDataRequired ? refused : { httpStatus: 200, body: { result: {} } });
  });

  test.each(["text/plain", "application/json5", "application/x-www-form-urlencoded", "nonsense", undefined])(
    "the media type %s is HTTP 415, INVALID_ARGUMENT",
    async (mediaType) => {
      const typed = { ...emptyWorkspace.headers, ...(mediaType && { "content-type": mediaType }) };
      const answer = await send(url, "POST", typed, JSON.stringify({ data: example }));
      expect(answer).toMatchObject(refusal(415, "INVALID_ARGUMENT", /Content-Type: application\/json/));
    },
  );

  test("a body of more than 10 MiB is HTTP 413, INVALID_ARGUMENT", async () => {
    const answer = await emptyWorkspace.call(path, largeBody(example, MAX_BODY_BYTES + 1));
    expect(answer).toMatchObject(refusal(413, "INVALID_ARGUMENT", /10 MiB/));
  });

  test.each([0, 1])(`${MAX_DEPTH} levels are read, with %i more it is INVALID_ARGUMENT`, async (more) => {
    const nested = ["[", "]"].map((bracket) => bracket.repeat(MAX_DEPTH + more - 2));
    const value = nested.join(JSON.stringify('in a text, as in [[[[ and "[[[[, they do not count'));
    const workspace = await preparedWorkspace(path);
    const data = Object(await exampleIn(workspace, path, example));
    const text = JSON.stringify({ data: { ...data, unknownField: 0 } });
    const body = text.replace('"unknownField":0', `"unknownField":${value}`);
    const refused = refusal(400, "INVALID_ARGUMENT", /64 levels/);
    const answer = await workspace.call(path, body);
    expect(answer).toMatchObject(more ? refused : successOf(operation));
  });

  test("fields that the schema does not name are ignored", async () => {
    const workspace = await preparedWorkspace(path);
    const ofPrototypes = { ["__proto__"]: UNKNOWN, constructor: [UNKNOWN] };
    const unknown = { unknownField: { [UNKNOWN]: 1 }, timestamp: UNKNOWN, ...ofPrototypes };
    const data = withUnknownFields(operation.request, await exampleIn(workspace, path, example), unknown);
    const answer = await workspace.call(path, JSON.stringify({ data, ...unknown }));
    expect(answer).toMatchObject(successOf(operation));
    expect(JSON.stringify(answer.body)).not.toContain(UNKNOWN);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "PROPFIND"])(
    "%s is HTTP 405 with Allow: POST, INVALID_ARGUMENT",
    async (method) => {
      const answer = await send(url, method, emptyWorkspace.headers);
      expect(answer).toMatchObject(refusal(405, "INVALID_ARGUMENT", /POST/));
      expect(answer.headers.get("allow")).toBe("POST");
    },
  );

  test.each(["/", "x", "/%20"])("with %j behind it the path is NOT_FOUND", async (more) => {
    const answer = await emptyWorkspace.call(`${path}${more}`, example);
    expect(answer).toMatchObject(refusal(404, "NOT_FOUND"));
  });

  test("the headers of a further brand are as good", async () => {
    const workspace = await preparedWorkspace(path);
    const { apiKey, authToken } = workspace;
    const data = await exampleIn(workspace, path, example);
    const answer = await post(url, data, { "x-acme-api-key": apiKey, "x-acme-auth-token": authToken });
    expect(answer).toMatchObject(successOf(operation));
  });
});

describe.each(fields)("$path", ({ path, request, name, ...field }) => {
  test(`a bad ${name} is INVALID_ARGUMENT, named in the message and in details.issues`, async () => {
    const values = badValues(field);
    const answers = await Promise.all(
      values.map((value) => emptyWorkspace.call(path, change(request, field.steps, value))),
    );
    for (const [index, { httpStatus, body }] of answers.entries()) {
      const fault = values[index] === undefined ? "is required" : expect.stringMatching(/^must /);
      const message = expect.stringMatching(`^${RegExp.escape(name)} (is required|must )`);
      const details = { issues: [{ path: name, message: fault }] };
      const title = JSON.stringify(values[index])?.slice(0, 80);
      expect(body, title).toEqual({ error: { status: "INVALID_ARGUMENT", message, details } });
      expect(httpStatus, title).toBe(400);
    }
  });
});

test("a body of 10 MiB is read", async () => {
  const { path, example } = endpoints[0] ?? expect.fail();
  const answer = await (await preparedWorkspace(path)).call(path, largeBody(example, MAX_BODY_BYTES));
  expect(answer).toMatchObject({ httpStatus: 200 });
});

test("no field that a schema does not name is kept", async () => {
  const kept = [UNKNOWN, Buffer.from(UNKNOWN).toString("hex")];
  const rows = await readRows(service.database);
  expect(rows.length).toBeGreaterThan(endpoints.length);
  expect(rows.filter((row) => kept.some((text) => row.includes(text)))).toEqual([]);
});

test("what is refused leaves nothing behind", async () => {
  expect(await readAll(emptyWorkspace)).toEqual(emptyAnswers);
});

test("the message names the first wrong field and details.issues all of them", async () => {
  const error = await (await service.workspace()).error("/v2/activities/add", {
    organizationId: "",
    activities: [{ featureType: "note", actionType: "x", actionUser: { userId: 7 } }, null],
  });
  expect(error.message).toBe("data.documentId is required");
  expect(error.details?.issues?.map(({ path }) => path).sort()).toEqual([
    "data.activities[0].actionUser.userId",
    "data.activities[0].featureType",
    "data.activities[1]",
    "data.documentId",
    "data.organizationId",
  ]);
});

describe("at every operation", () => {
  async function refusedEverywhere(headers: Record<string, string>, message: string): Promise<void> {
    for (const { path, example } of endpoints.filter(({ operation }) => operation.authentication !== "none")) {
      const answer = await post(`${service.address}${path}`, example, headers);
      expect(answer, path).toMatchObject(refusal(403, "PERMISSION_DENIED", message));
    }
  }

  test("a request without headers, or without one of them, is PERMISSION_DENIED", async () => {
    const { apiKey, authToken } = await service.workspace();
    await refusedEverywhere({}, "Missing header x-service-api-key.");
    await refusedEverywhere({ "x-service-auth-token": authToken }, "Missing header x-service-api-key.");
    await refusedEverywhere({ "x-service-api-key": apiKey }, "Missing header x-service-auth-token.");
  });

  test("an unknown key is PERMISSION_DENIED, whatever the token", async () => {
    const { headers } = await service.workspace();
    await refusedEverywhere({ ...headers, "x-service-api-key": "unknown" }, "Invalid API key.");
  });

  test("a wrong token is PERMISSION_DENIED", async () => {
    const { headers } = await service.workspace();
    await refusedEverywhere({ ...headers, "x-service-auth-token": "wrong" }, "Invalid auth token.");
  });

  test("a key and a token of different workspaces are PERMISSION_DENIED", async () => {
    const [{ apiKey }, { headers }] = await Promise.all([service.workspace(), service.workspace()]);
    await refusedEverywhere({ ...headers, "x-service-api-key": apiKey }, "Invalid auth token.");
  });

  test("a key and a token with the headers of different brands are PERMISSION_DENIED", async () => {
    const { apiKey, authToken } = await service.workspace();
    const headers = { "x-acme-api-key": apiKey, "x-service-auth-token": authToken };
    await refusedEverywhere(headers, "Missing header x-acme-auth-token.");
  });

  test("an expired token is PERMISSION_DENIED", async () => {
    const { id, headers } = await service.workspace();
    const authToken = "an expired token";
    await addToken(service.database, { workspaceId: id, name: "old", authToken, expiresAt: Date.now() - 1 });
    await refusedEverywhere({ ...headers, "x-service-auth-token": authToken }, "Expired auth token.");
  });

  test("a revoked token is PERMISSION_DENIED", async () => {
    const { id, headers } = await service.workspace();
    const token = { workspaceId: id, name: "second", expiresAt: undefined };
    const { tokenId, authToken } = await createToken(service.database, token);
    await revokeToken(service.database, tokenId);
    await refusedEverywhere({ ...headers, "x-service-auth-token": authToken }, "Invalid auth token.");
  });

  test("what one workspace writes changes nothing that another one reads", async () => {
    const [mine, theirs] = await Promise.all([service.workspace(), filledWorkspace()]);
    const before = await readAll(theirs);
    const deletes = operations.filter(({ path }) => path.endsWith("/delete"));
    const others = operations.filter((operation) => !deletes.includes(operation));
    for (const operation of [...others, ...deletes.toReversed()]) {
      const example = await exampleIn(mine, operation.path, operation.example);
      expect(await mine.call(operation.path, example)).toMatchObject(successOf(operation));
    }
    expect(await readAll(theirs)).toEqual(before);
  });

  test("what one workspace has written no other one reads", async () => {
    const mine = await service.workspace();
    const before = await readAll(mine);
    await filledWorkspace();
    expect(await readAll(mine)).toEqual(before);
  });
});

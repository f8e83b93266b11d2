import { beforeEach, describe, expect, test } from "vitest";
import type { Reason } from "../src/contract/errors.ts";
import type { Operation } from "../src/contract/operation.ts";
import { type Endpoint, endpoints, exampleIn, expectedSuccess, preparedWorkspace, readAll } from "./examples.ts";
import { post, send, startOwnTestService } from "./harness.ts";
import { largeBody } from "./request-variants.ts";
import { runSql } from "./run-sql.ts";

/**
 * The guarantees of the engine hold for every operation, since all routes are registered by one function. They are
 * tested on the first operation of each kind.
 */
const KINDS: Record<string, (operation: Operation) => boolean> = {
  plain: ({ cursor, isAsynchronous, authentication }) => !cursor && !isAsynchronous && !authentication,
  paged: ({ cursor }) => cursor !== undefined,
  asynchronous: ({ isAsynchronous }) => isAsynchronous === true,
  public: ({ authentication }) => authentication === "none",
  writing: ({ path, maxBodyBytes }) => path.endsWith("/add") && maxBodyBytes === undefined,
  threaded: ({ maxBodyBytes }) => maxBodyBytes !== undefined,
};
const kinds = Object.entries(KINDS).map(([kind, isOfKind]) => ({
  kind,
  ...(endpoints.find(({ operation }) => isOfKind(operation)) ?? expect.fail()),
}));
const withoutRequiredData = endpoints.find(({ isDataRequired }) => !isDataRequired) ?? expect.fail();
/** Limits of bodies by kind of operation. */
const BODY_LIMITS: Record<string, { bytes: number; name: string }> = {
  plain: { bytes: 2 * 1024 * 1024, name: "2 MiB" },
  paged: { bytes: 2 * 1024 * 1024, name: "2 MiB" },
  asynchronous: { bytes: 2 * 1024 * 1024, name: "2 MiB" },
  public: { bytes: 16 * 1024, name: "16 KiB" },
  writing: { bytes: 2 * 1024 * 1024, name: "2 MiB" },
  threaded: { bytes: 10 * 1024 * 1024, name: "10 MiB" },
};
const MAX_DEPTH = 64;

const service = await startOwnTestService((config) => ({ authHeaderPrefixes: [...config.authHeaderPrefixes, "acme"] }));
/** A workspace that receives only requests that are rejected. */
const emptyWorkspace = await service.workspace();
const emptyResponses = await readAll(emptyWorkspace);

// The rate limit of login links is lower than the number of requests here.
beforeEach(() => runSql(service.database, "delete from login_attempts"));

function readError(httpStatus: number, status: string, reason: Reason): object {
  return { httpStatus, body: { error: { status, details: { reason } } } };
}

const INVALID_BODIES: [title: string, body: string | Uint8Array, message: RegExp][] = [
  ["text that is not JSON", "{'data': {}}", /^The body is not JSON/],
  ["a byte order mark", '\ufeff{"data":{}}', /byte order mark\. Send UTF-8 without one\.$/],
  ["a number out of the range of JavaScript", '{"data":{"n":[1e400]}}', /^data\.n\[0\] must be a number/],
  ["JSON followed by further text", '{"data":{}} {}', /^The body is not JSON/],
  ["text that is not UTF-8", Buffer.from('{"data":{"organizationId":"\xff"}}', "latin1"), /^The body is not UTF-8/],
  ["a list", "[]", /^The body must be a JSON object/],
  ["null", "null", /^The body must be a JSON object/],
  ["a string", '"data"', /^The body must be a JSON object/],
  ["an object whose data is null", '{"data":null}', /^data must be an object/],
  ["an object whose data is a list", '{"data":[]}', /^data must be an object/],
  ["an object whose data is a string", '{"data":"{}"}', /^data must be an object/],
];

describe.each(kinds)("an operation that is $kind ($path)", ({ kind, path, operation, example }) => {
  const url = `${service.address}${path}`;
  const limit = BODY_LIMITS[kind] ?? expect.fail();

  test("serves what no cache keeps and no browser takes for another media type", async () => {
    const workspace = await preparedWorkspace(service, path);
    const { headers } = await workspace.call(path, await exampleIn(workspace, path, example));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const rejected = await workspace.call(path, { unknown: 1 });
    expect(rejected.httpStatus).toBe(400);
    expect(rejected.headers.get("cache-control")).toBe("no-store");
  });

  test("rejects a body that is not a JSON object with an object as data, and says why", async () => {
    for (const [title, body, message] of INVALID_BODIES) {
      const error = { status: "INVALID_ARGUMENT", message: expect.stringMatching(message) };
      expect(await emptyWorkspace.call(path, body), title).toMatchObject({ httpStatus: 400, body: { error } });
    }
  });

  test("rejects every media type but application/json with HTTP 415, INVALID_ARGUMENT", async () => {
    const body = JSON.stringify({ data: example });
    for (const type of ["text/plain", "application/json5", "application/x-www-form-urlencoded", "nonsense", ""]) {
      const headers = { ...emptyWorkspace.headers, ...(type && { "content-type": type }) };
      const rejected = readError(415, "INVALID_ARGUMENT", "media_type_unsupported");
      expect(await send(url, "POST", headers, body), type).toMatchObject(rejected);
    }
  });

  test(`reads a body of ${limit.name}, and rejects a larger one with HTTP 413, INVALID_ARGUMENT`, async () => {
    const workspace = await preparedWorkspace(service, path);
    const data = await exampleIn(workspace, path, example);
    expect(await workspace.call(path, largeBody(data, limit.bytes))).toMatchObject(expectedSuccess(operation));
    const response = await workspace.call(path, largeBody(data, limit.bytes + 1));
    expect(response).toMatchObject(readError(413, "INVALID_ARGUMENT", "body_too_large"));
    expect(response.body).toMatchObject({ error: { message: expect.stringContaining(limit.name) } });
  });

  test(`reads ${MAX_DEPTH} levels of nesting and does not read a body with one more`, async () => {
    const workspace = await preparedWorkspace(service, path);
    const data = Object(await exampleIn(workspace, path, example));
    const text = JSON.stringify({ data: { ...data, unknownField: 0 } });
    for (const more of [0, 1]) {
      const brackets = ["[", "]"].map((bracket) => bracket.repeat(MAX_DEPTH + more - 2));
      const value = brackets.join(JSON.stringify('in a string, as in [[[[ and "[[[[, they do not count'));
      const response = await workspace.call(path, text.replace('"unknownField":0', `"unknownField":${value}`));
      expect(response).toMatchObject(readError(400, "INVALID_ARGUMENT", more ? "body_invalid" : "unknown_field"));
    }
  });

  test("rejects every method but POST with HTTP 405, INVALID_ARGUMENT and Allow: POST", async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      const response = await send(url, method, emptyWorkspace.headers);
      expect(response, method).toMatchObject(readError(405, "INVALID_ARGUMENT", "method_not_allowed"));
      expect(response.headers.get("allow"), method).toBe("POST");
    }
  });

  test("is NOT_FOUND at a path with a suffix", async () => {
    for (const more of ["/", "x", "/%20"]) {
      expect(await emptyWorkspace.call(`${path}${more}`, example), more).toMatchObject(
        readError(404, "NOT_FOUND", "operation_unknown"),
      );
    }
  });

  test("accepts the headers of every configured prefix", async () => {
    const workspace = await preparedWorkspace(service, path);
    const { apiKey, authToken } = workspace;
    const data = await exampleIn(workspace, path, example);
    const response = await post(url, data, { "x-acme-api-key": apiKey, "x-acme-auth-token": authToken });
    expect(response).toMatchObject(expectedSuccess(operation));
  });
});

describe.each<Endpoint>([...kinds.filter(({ isDataRequired }) => isDataRequired), withoutRequiredData])(
  "an empty body at $path",
  ({ path, isDataRequired }) => {
    test(`is ${isDataRequired ? "rejected with the field that is missing" : "accepted"}`, async () => {
      const workspace = await service.workspace();
      const rejected = readError(400, "INVALID_ARGUMENT", "field_invalid");
      for (const body of ["", "{}", '{"data":{}}']) {
        const expected = isDataRequired ? rejected : { httpStatus: 200, body: { result: {} } };
        expect(await workspace.call(path, body), body).toMatchObject(expected);
      }
    });
  },
);

test("a rejected request changes nothing", async () => {
  expect(await readAll(emptyWorkspace)).toEqual(emptyResponses);
});

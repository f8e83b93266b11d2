import { expect, test } from "vitest";
import { openApiDocument } from "../src/http/openapi.ts";
import { operations } from "../src/operations.ts";
import { expectedSuccess } from "./examples.ts";
import { post, startTestService } from "./harness.ts";

const service = await startTestService();
const open = operations.filter(({ authentication }) => authentication === "none");

test("sending a login link is the only operation that requires no authentication", () => {
  expect(open.map(({ path }) => path)).toEqual(["/v2/workspace/email/send-login-link"]);
});

test("the reference says only of public operations that they need no headers", () => {
  const { paths } = Object(openApiDocument({ operations, publicUrl: "http://a.example", brands: ["a"], version: "1" }));
  for (const { path, authentication } of operations) {
    expect(paths[path].post.security, path).toEqual(authentication === "none" ? [] : undefined);
  }
});

test.each(open)("$path requires no headers and ignores them", async (operation) => {
  const { apiKey } = await service.workspace();
  const unknown = { "x-service-api-key": "unknown" };
  const wrong = { "x-service-api-key": apiKey, "x-service-auth-token": "wrong" };
  for (const headers of [{}, unknown, wrong, { cookie: "colloquy_session=wrong" }]) {
    const answer = await post(`${service.address}${operation.path}`, operation.example, headers);
    expect(answer).toMatchObject(expectedSuccess(operation));
  }
});

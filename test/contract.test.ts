import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { ServiceError } from "../src/contract/errors.ts";
import { buildResponseSchema } from "../src/http/response-schema.ts";
import { compileValidation } from "../src/http/validation.ts";
import { endpoints, exampleIn, expectedSuccess, filledWorkspace, preparedWorkspace } from "./examples.ts";
import { startOwnTestService } from "./harness.ts";
import { changeField, fullRequest, getFields, invalidValues, renameFields } from "./request-variants.ts";

const service = await startOwnTestService();
const fullWorkspace = await filledWorkspace(service);

/** Returns the message and details with which the validation of the operation rejects the request. */
async function getRejection(check: ReturnType<typeof compileValidation>, data: unknown): Promise<unknown> {
  try {
    await check({ data });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status, message, details } = error;
    return { status, message, details };
  }
  return "accepted";
}

describe.each(endpoints)("$path", ({ path, operation, example }) => {
  test("its example succeeds, and the response matches its schema", async () => {
    const workspace = path.endsWith("/get") ? fullWorkspace : await preparedWorkspace(service, path);
    const response = await workspace.call(path, await exampleIn(workspace, path, example));
    expect(response).toMatchObject(expectedSuccess(operation));
    expect(Compile(buildResponseSchema(operation, { additionalProperties: false })).Errors(response.body)).toEqual([]);
  });

  test("an invalid value of any field is INVALID_ARGUMENT, named in the message and in details.issues", async () => {
    const check = compileValidation(operation.request);
    const request = fullRequest(operation.request, example);
    for (const { name, ...field } of getFields(operation.request)) {
      const named = renameFields(request, field.steps);
      for (const value of invalidValues(field)) {
        const title = `${name} = ${JSON.stringify(value)?.slice(0, 80)}`;
        const error = value === undefined ? "is required" : expect.stringMatching(/^must /);
        expect(await getRejection(check, changeField(structuredClone(named), field.steps, value)), title).toEqual({
          status: "INVALID_ARGUMENT",
          message: expect.stringMatching(`^${RegExp.escape(name)} (is required|must )`),
          details: { reason: "field_invalid", issues: [{ path: name, message: error }] },
        });
      }
    }
  });
});

test("operations that delete or revoke say by fields of their requests what, and no others do", () => {
  const deleting = endpoints.filter(({ path }) => /\/(delete|remove|revoke)$/.test(path));
  expect(endpoints.filter(({ operation }) => operation.deletes)).toEqual(deleting);
  for (const { path, operation } of deleting) {
    const names = getFields(operation.request).map(({ name }) => name);
    for (const field of operation.deletes ?? []) expect(names, path).toContain(`data.${field}`);
  }
});

test.each(endpoints.filter(({ isDataRequired }) => !isDataRequired))(
  "$path succeeds without fields, because its schema requires none",
  async ({ path, operation }) => {
    const workspace = await service.workspace();
    expect(await workspace.call(path, await exampleIn(workspace, path, {}))).toMatchObject(expectedSuccess(operation));
  },
);

test("the message names the first invalid field, and details.issues has all of them", async () => {
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

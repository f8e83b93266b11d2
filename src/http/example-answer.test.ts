import Type from "typebox";
import { Check } from "typebox/value";
import { expect, test } from "vitest";
import { operation } from "../contract/operation.ts";
import { operations } from "../operations.ts";
import { answerSchema } from "./answer-schema.ts";
import { exampleAnswer } from "./example-answer.ts";
import { jsonSchema } from "./json-schema.ts";

const answers = operations.map((listed) => {
  const schema = jsonSchema(answerSchema(listed));
  return { path: listed.path, schema, answer: exampleAnswer(schema, listed) };
});

test.each(answers)("$path has an example answer with a value for every required field", ({ schema, answer }) => {
  expect(answer).toBeDefined();
  expect(Check(schema, answer)).toBe(true);
});

test("an operation has no example answer if a required field has no value", () => {
  const nameless = operation({
    path: "/v2/samples/get",
    summary: "Read samples",
    message: "Samples retrieved.",
    scope: "read",
    request: Type.Object({}),
    response: Type.Array(Type.Object({ unheardOf: Type.String() })),
    example: {},
    handle: async () => [],
  });
  expect(exampleAnswer(jsonSchema(answerSchema(nameless)), nameless)).toBeUndefined();
});

import { expect, test } from "vitest";
import { messageOf } from "./message.ts";

test("a message names people and things, and shows what it has no data for", () => {
  const data = { user: { userId: "ada", name: "Ada" }, count: 3, what: "a clause", none: null, odd: { a: 1 } };
  expect(messageOf("{{user}} edited {{ count }} of {{what}}, {{unknown}}", data)).toBe(
    "Ada edited 3 of a clause, {{unknown}}",
  );
  expect(messageOf("{{none}} {{odd}} {{toString}} {{__proto__}}", data)).toBe(
    'null {"a":1} {{toString}} {{__proto__}}',
  );
  expect(messageOf("{{user}}", null)).toBe("{{user}}");
});

test("data is not read as a template again", () => {
  expect(messageOf("{{a}}", { a: "{{b}} $& $1", b: "secret" })).toBe("{{b}} $& $1");
});

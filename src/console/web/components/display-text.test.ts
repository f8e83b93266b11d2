import { expect, test } from "vitest";
import { fillTemplate } from "./display-text.ts";

test("a template shows users and objects by name and keeps placeholders without data", () => {
  const data = { user: { userId: "ada", name: "Ada" }, count: 3, what: "a clause", none: null, odd: { a: 1 } };
  expect(fillTemplate("{{user}} edited {{ count }} of {{what}}, {{unknown}}", data)).toBe(
    "Ada edited 3 of a clause, {{unknown}}",
  );
  expect(fillTemplate("{{none}} {{odd}} {{toString}} {{__proto__}}", data)).toBe(
    'null {"a":1} {{toString}} {{__proto__}}',
  );
  expect(fillTemplate("{{user}}", null)).toBe("{{user}}");
});

test("placeholders inside data are not filled in", () => {
  expect(fillTemplate("{{a}}", { a: "{{b}} $& $1", b: "secret" })).toBe("{{b}} $& $1");
});

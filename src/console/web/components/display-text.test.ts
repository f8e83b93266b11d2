import { expect, test } from "vitest";
import { fillTemplate, userLabel } from "./display-text.ts";

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

test("names and addresses of white space are passed over for the ID", () => {
  expect(userLabel({ userId: "ada", name: " \n", email: "\u00a0" })).toBe("ada");
  expect(userLabel({ userId: "ada", name: " ", email: "ada@example.com" })).toBe("ada@example.com");
  expect(fillTemplate("{{user}}", { user: { userId: "ada", name: " " } })).toBe("ada");
});

test("placeholders inside data are not filled in", () => {
  expect(fillTemplate("{{a}}", { a: "{{b}} $& $1", b: "secret" })).toBe("{{b}} $& $1");
});

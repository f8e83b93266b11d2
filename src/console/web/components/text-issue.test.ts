import { expect, test } from "vitest";
import { isIdentifier } from "../../../contract/schema.ts";
import { textIssue } from "./text-issue.ts";

test.each(["ada", "Ada Lovelace 👍", "x".repeat(256), "x".repeat(257), "a\tb", "a\u0085b", "a\ud800b"])(
  "a text has an issue if the API rejects it: %j",
  (text) => {
    expect(textIssue(text) === undefined).toBe(isIdentifier(text));
  },
);

import { expect, test } from "vitest";
import { findActions } from "./palette-actions.ts";

test.each([
  ["revoke", ["Revoke an auth token", "Revoke user tokens"]],
  ["create token", ["Create an auth token", "Generate a user token"]],
  ["smtp", ["Set up a mail server", "Send a test mail"]],
  ["dark", ["Dark mode"]],
  ["EXPORT", ["Export a user's data"]],
  ["oken", []],
  ["", []],
])("%j finds %j", (text, labels) => {
  expect(findActions(text).map(({ label }) => label)).toEqual(labels);
});

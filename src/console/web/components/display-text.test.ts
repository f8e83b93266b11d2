import { expect, test } from "vitest";
import { userLabel } from "./display-text.ts";

test("names and addresses of white space are passed over for the ID", () => {
  expect(userLabel({ userId: "ada", name: " \n", email: "\u00a0" })).toBe("ada");
  expect(userLabel({ userId: "ada", name: " ", email: "ada@example.com" })).toBe("ada@example.com");
});

import { expect, test } from "vitest";
import { compareByStatus, summaryOf } from "./presence.ts";

const USERS = [
  { userId: "1", name: "Zoe", status: "offline" },
  { userId: "2", name: "Yan", status: "online" },
  { userId: "3", name: "", status: "away" },
  { userId: "4", email: "ada@example.com", status: "online" },
];

test("who is here stands first, then they stand by name", () => {
  expect(USERS.toSorted(compareByStatus).map(({ userId }) => userId)).toEqual(["4", "2", "3", "1"]);
});

test("the summary leaves out what nobody is", () => {
  expect(summaryOf(USERS)).toBe("2 online, 1 away, 1 offline");
  expect(summaryOf(USERS.slice(0, 1))).toBe("1 offline");
});

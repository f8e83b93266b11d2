import { expect, test } from "vitest";
import { compareByStatus, statusSummary } from "./presence.ts";

const USERS: Parameters<typeof statusSummary>[0] = [
  { userId: "1", name: "Zoe", status: "offline" },
  { userId: "2", name: "Yan", status: "online" },
  { userId: "3", name: "", status: "away" },
  { userId: "4", email: "ada@example.com", status: "online" },
];

test("users are sorted by status, then by name", () => {
  expect(USERS.toSorted(compareByStatus).map(({ userId }) => userId)).toEqual(["4", "2", "3", "1"]);
});

test("the summary omits statuses without users", () => {
  expect(statusSummary(USERS)).toBe("2 online, 1 away, 1 offline");
  expect(statusSummary(USERS.slice(0, 1))).toBe("1 offline");
});

import { expect, test } from "vitest";
import { getRecipients, readState, recipientNames } from "./recipients.ts";

const named = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, true as const]));

test("recipients are those of the record, or those whom it names and who have read it", () => {
  const ada = { userId: "ada", name: "Ada Lovelace" };
  const counted = { recipients: [{ user: ada }], recipientCount: 5, readCount: 2, notifyUsersByUserId: named("x") };
  expect(getRecipients(counted)).toEqual({ shown: [ada], total: 5, read: 2 });
  const ofDocument = { notifyUsersByUserId: named("ada", "bob"), readAtByUserId: { bob: 1, carol: 2 } };
  const shown = [{ userId: "ada" }, { userId: "bob" }, { userId: "carol" }];
  expect(getRecipients(ofDocument)).toEqual({ shown, total: 3, read: 2 });
});

test.each([
  [["a"], 1, "a"],
  [["a", "b"], 2, "a and b"],
  [["a", "b", "c"], 3, "a, b and c"],
  [["a", "b", "c"], 4, "a, b and 2 others"],
  [["a", "b", "c"], 1_000, "a, b and 998 others"],
])("%j of %i recipients are named as %s", (ids, total, text) => {
  expect(recipientNames({ shown: ids.map((userId) => ({ userId })), total, read: 0 })).toBe(text);
});

test.each([
  [1, 0, "unread"],
  [1, 1, "read"],
  [3, 0, "unread"],
  [3, 2, "2 of 3 read"],
])("of %i recipients, %i readers are shown as %s", (total, read, text) => {
  expect(readState({ total, read })).toBe(text);
});

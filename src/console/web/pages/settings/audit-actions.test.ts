import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "../../../../contract/audit.ts";
import { ACTION_LABELS, actorLabel, entryKey, getTimeRange, isAction } from "./audit-actions.ts";

test("every action has a label, and other texts are not actions", () => {
  expect(Object.keys(ACTION_LABELS).sort()).toEqual([...AUDIT_ACTIONS].sort());
  expect(AUDIT_ACTIONS.every(isAction)).toBe(true);
  expect([undefined, "", "toString", "token.add"].some(isAction)).toBe(false);
});

test("an actor is named by its token, its owner, or as the operator", () => {
  expect(actorLabel({ type: "token", id: "1", name: "billing" })).toBe("token billing");
  expect(actorLabel({ type: "session", id: "1", name: "ada@acme.example" })).toBe("ada@acme.example");
  expect(actorLabel({ type: "session", id: "1", name: null })).toBe("the operator");
  expect(actorLabel({ type: "command_line", id: null, name: null })).toBe("the command line");
});

test("the key of an entry leads to the millisecond of the entry, and another text to none", () => {
  expect(getTimeRange(entryKey({ timestamp: 1_795_512_600_000, id: "1" }))).toEqual({
    from: 1_795_512_600_000,
    to: 1_795_512_600_001,
  });
  for (const text of ["", "x", "1", "-1/2", "9".repeat(16)]) expect(getTimeRange(text)).toEqual({ from: 0, to: 1 });
});

import { expect, test } from "vitest";
import { INBOX_KINDS } from "../../packages/client/src/stores/inbox-kinds.ts";
import { INBOX_KINDS as KINDS_OF_SERVICE } from "../../src/features/event-log/event.ts";

test("packages/react counts unread notifications again after the events that a stream with inbox sends", () => {
  expect(INBOX_KINDS).toEqual(KINDS_OF_SERVICE);
});

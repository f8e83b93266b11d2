import { expect, test } from "vitest";
import { fieldChanges } from "./activity-text.ts";

test.each([
  [undefined, []],
  [null, []],
  [{ title: { from: "Payment", to: "Terms" } }, [{ field: "title", from: "Payment", to: "Terms" }]],
  [{ owner: { to: "ada" } }, [{ field: "owner", from: undefined, to: "ada" }]],
  [{ note: "free text", list: [1], count: null }, []],
])("changes %j are read as %j, without those of another form", (changes, found) => {
  expect(fieldChanges(changes)).toEqual(found);
});

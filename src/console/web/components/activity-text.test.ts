import { expect, test } from "vitest";
import { activityMessage, fieldChanges } from "./activity-text.ts";

test.each([
  [undefined, []],
  [null, []],
  [{ title: { from: "Payment", to: "Terms" } }, [{ field: "title", from: "Payment", to: "Terms" }]],
  [{ owner: { to: "ada" } }, [{ field: "owner", from: undefined, to: "ada" }]],
  [{ note: "free text", list: [1], count: null }, []],
])("changes %j are read as %j, without those of another form", (changes, found) => {
  expect(fieldChanges(changes)).toEqual(found);
});

const user = { userId: "al", name: "Al" };

test.each([
  ["{{actionUser}} signed", {}, "Al signed"],
  ["{{user}} signed", { user }, "Al signed"],
  ["", {}, "Al: contract.sign"],
  ["Alan signed for {{buyer}}", { buyer: "Alan" }, "Alan signed for Alan"],
  ["{{user}} signed", {}, "{{user}} signed"],
])("the template %j with data %j becomes %j", (template, data, message) => {
  const templates = { displayMessageTemplate: template, displayMessageTemplateData: data };
  const activity = { ...templates, actionUser: user, actionType: "contract.sign" };
  expect(activityMessage(activity)).toBe(message);
});

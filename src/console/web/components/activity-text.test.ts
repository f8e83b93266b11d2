import { expect, test } from "vitest";
import { activityMessage, fieldChanges, namesUser } from "./activity-text.ts";

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
  ["{{actionUser}} signed", {}, "Al signed", true],
  ["{{user}} signed", { user }, "Al signed", true],
  ["", {}, "Al: contract.sign", true],
  ["Alan signed for {{buyer}}", { buyer: "Alan" }, "Alan signed for Alan", false],
  ["{{user}} signed", {}, "{{user}} signed", false],
])("the template %j with data %j becomes %j; whether it names the user is %j", (template, data, message, isNamed) => {
  const templates = { displayMessageTemplate: template, displayMessageTemplateData: data };
  const activity = { ...templates, actionUser: user, actionType: "contract.sign" };
  expect(activityMessage(activity)).toBe(message);
  expect(namesUser(activity)).toBe(isNamed);
});

import { expect, test } from "vitest";
import { buildBody, getHeadline } from "./headline.ts";

const actionUser = { userId: "ada", name: "Ada" };

test.each([
  ["{actionUser} asks {recipientUser}", undefined, "Ada asks {recipientUser}"],
  ["{ actionUser } signed {document}", { actionUser: "Grace", document: { name: "§4" } }, "Grace signed §4"],
  ["{constructor} {__proto__}", {}, "{constructor} {__proto__}"],
  ["{a}", { a: "{b} $&", b: 1 }, "{b} $&"],
  ["{a}{b}", { a: null, b: 0 }, "null0"],
  [null, null, ""],
])(
  "template %j with data %j becomes %j",
  (displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData, headline) => {
    expect(getHeadline({ actionUser, displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData })).toBe(
      headline,
    );
  },
);

test("the recipient is filled in if known", () => {
  const notification = { actionUser, displayHeadlineMessageTemplate: "{actionUser} asks {recipientUser}" };
  expect(getHeadline(notification, "grace")).toBe("Ada asks grace");
});

test.each([
  [{ displayBodyMessage: "As sent, {actionUser}." }, "As sent, {actionUser}."],
  [{ displayBodyMessage: "As sent.", displayBodyMessageTemplate: null }, "As sent."],
  [
    { displayBodyMessage: "As sent.", displayBodyMessageTemplate: "{actionUser} waits for {what}, {recipientUser}" },
    "Ada waits for {what}, grace",
  ],
  [{ displayBodyMessageTemplate: "for {what}", displayBodyMessageTemplateData: { what: { name: "§4" } } }, "for §4"],
  [{}, ""],
])("the body of %j is %j", (fields, body) => {
  expect(buildBody({ actionUser, ...fields }, "grace")).toBe(body);
});

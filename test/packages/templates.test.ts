import { describe, expect, test } from "vitest";
import type { Notification } from "../../packages/client/src/index.ts";
import { getContent } from "../../packages/react/src/notification-content.ts";
import { fillTemplate as fillInReact, getMessage } from "../../packages/react/src/template.ts";
import { german } from "../../packages/react/src/texts/de.ts";
import { english } from "../../packages/react/src/texts/en.ts";
import { fillTemplate as fillInConsole } from "../../src/console/web/components/display-text.ts";
import { MESSAGES } from "../../src/features/comments/triggers/messages.ts";

const DATA = {
  user: { userId: "ada", name: "Ada" },
  unnamed: { userId: "ada", name: " " },
  "clause title": "§4",
  "target-entity": "lease",
  count: 3,
  isFinal: false,
  none: null,
  odd: { a: 1 },
  nested: "{{user}} {user} $& $1",
};

/** Templates of activities. Those of notifications have one pair of brackets instead of two. */
const CASES = [
  ["{{user}} edited {{ count }} of {{clause title}}", "Ada edited 3 of §4"],
  ["{{target-entity}} {{isFinal}} {{none}} {{odd}} {{unnamed}}", 'lease false null {"a":1} ada'],
  ["{{unknown}} {{}} {{ }} {{user", "{{unknown}} {{}} {{ }} {{user"],
  ["{{toString}} {{__proto__}}", "{{toString}} {{__proto__}}"],
  ["{{nested}}", "{{user}} {user} $& $1"],
] as const;

describe.each([
  ["the console", fillInConsole],
  ["packages/react", fillInReact],
])("%s", (_, fillTemplate) => {
  test.each(CASES)("fills %j of an activity as %j, and of a notification alike", (template, text) => {
    expect(fillTemplate("activity", template, DATA)).toBe(text);
    const single = (brackets: string) => brackets.replaceAll(/([{}])\1/g, "$1");
    const expected = template === "{{nested}}" ? text : single(text);
    expect(fillTemplate("notification", single(template), DATA)).toBe(expected);
  });

  test("takes the brackets of the other kind as text", () => {
    expect(fillTemplate("activity", "{user}", DATA)).toBe("{user}");
    expect(fillTemplate("notification", "{{user}}", DATA)).toBe("{Ada}");
  });

  test("fills a long template in linear time", () => {
    const template = `{{${" ".repeat(1_000_000)}`;
    expect(fillTemplate("activity", template, DATA)).toBe(template);
  });
});

test("an activity with an empty template has the user and the action as message, also with brackets", () => {
  const activity = { actionUser: { userId: "ada", name: "{{a}}" }, actionType: "comment.add" };
  const displayMessageTemplateData = { a: "secret" };
  expect(
    getMessage(
      { ...activity, displayMessageTemplate: "", displayMessageTemplateData },
      { deletedUser: "", messages: {} },
    ),
  ).toBe("{{a}}: comment.add");
});

test.each([
  ["activity.sign", "Ada hat unterschrieben"],
  ["activity.seal", "Ada signed"],
  ["constructor", "Ada signed"],
  [null, "Ada signed"],
  [undefined, "Ada signed"],
])("an activity with the key %j has the text of the page for it, or else its template", (messageKey, text) => {
  const activity = {
    actionUser: { userId: "ada", name: "Ada" },
    actionType: "sign",
    ...(messageKey !== undefined && { messageKey }),
  };
  const messages = { "activity.sign": "{{actionUser}} hat unterschrieben" };
  const message = getMessage(
    { ...activity, displayMessageTemplate: "{{actionUser}} signed" },
    { deletedUser: "", messages },
  );
  expect(message).toBe(text);
});

test("the headline of a resolved thread has its number, unless the notification or the page does not say it", () => {
  const messageKey = "notification.comment_annotation.resolve";
  const toHeadline = (notificationSourceData: object, texts: typeof english) => {
    const notification: unknown = {
      ...{ actionUser: { userId: "ada", name: "Ada" }, messageKey, notificationSourceData },
      displayHeadlineMessageTemplate: MESSAGES[messageKey],
      displayHeadlineMessageTemplateData: { document: "Plan", status: "Fixed" },
    };
    return getContent(asNotification(notification), "grace", texts).headline;
  };
  expect([toHeadline({ annotationNumber: 3 }, english), toHeadline({}, english)]).toEqual([
    "Ada resolved #3 in Plan as Fixed",
    "Ada resolved a discussion in Plan as Fixed",
  ]);
  expect([toHeadline({ annotationNumber: 3 }, german), toHeadline({ annotationNumber: "3" }, german)]).toEqual([
    "Ada hat #3 in Plan abgeschlossen: Fixed",
    "Ada resolved a discussion in Plan as Fixed",
  ]);
  const own = { ...german, messages: { ...german.messages, [messageKey]: "{status}: {document}" } };
  expect(toHeadline({ annotationNumber: 3 }, own)).toBe("Fixed: Plan");
});

/** Casts the fields of a notification that its content is made of. */
function asNotification(fields: unknown): Notification {
  return fields as Notification;
}

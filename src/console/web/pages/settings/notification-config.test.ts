import { expect, test } from "vitest";
import { COMMENT_EVENTS } from "../../../../contract/comment-notifications.ts";
import { type NotificationConfig, TRIGGER_NAMES, toForm, toUpdate } from "./notification-config.ts";

const TRIGGERS = { newlyAdded: true, added: false, updated: true, statusChanged: true, assigned: true };
const CONFIG: NotificationConfig = {
  useNotificationService: true,
  notificationServiceConfig: {
    triggers: { comment: { ...TRIGGERS, priorityChanged: false } },
    delayConfig: { isEnabled: true, delaySeconds: 90 },
    batchConfig: {
      document: { isEnabled: true, batchWindowSeconds: 900, maxActivities: 20 },
      user: { isEnabled: true, batchWindowSeconds: 86_400, maxActivities: 50 },
    },
  },
};

test("saving an unchanged form changes nothing", () => {
  expect(toUpdate(toForm(CONFIG))).toEqual(CONFIG);
});

test("what is turned off keeps its stored values", () => {
  const form = toForm(CONFIG);
  const delay = { isEnabled: false, length: { amount: "soon", unit: "hours" as const } };
  const update = toUpdate({
    ...form,
    delay,
    windows: { ...form.windows, user: { ...form.windows.user, isEnabled: false } },
  });
  expect(update.notificationServiceConfig?.delayConfig).toEqual({ isEnabled: false });
  expect(update.notificationServiceConfig?.batchConfig?.user).toEqual({ isEnabled: false });
});

test("the form has a choice for every comment event of the API", () => {
  expect(TRIGGER_NAMES).toEqual(Object.keys(COMMENT_EVENTS));
});

import Type, { type Static } from "typebox";
import {
  COMMENT_EVENTS,
  type CommentNotifications,
  DEFAULT_COMMENT_NOTIFICATIONS,
} from "../../../contract/comment-notifications.ts";

const NAMES = keysOf(COMMENT_EVENTS);

const CommentTriggers = Type.Object(
  {
    newlyAdded: Type.Boolean(),
    added: Type.Boolean(),
    updated: Type.Boolean({ description: "For users whom an update of a comment tags." }),
    statusChanged: Type.Boolean(),
    assigned: Type.Boolean(),
    priorityChanged: Type.Boolean(),
  },
  { description: "Which comment events notify." },
);

const useNotificationService = Type.Boolean({ description: "Whether comments notify users at all." });

export const NotificationConfig = Type.Object({
  useNotificationService,
  notificationServiceConfig: Type.Object({ triggers: Type.Object({ comment: CommentTriggers }) }),
});
export type NotificationConfig = Static<typeof NotificationConfig>;

const Triggers = Type.Object({ comment: Type.Optional(Type.Partial(CommentTriggers)) });

export const NotificationConfigUpdate = Type.Refine(
  Type.Object({
    useNotificationService: Type.Optional(useNotificationService),
    notificationServiceConfig: Type.Optional(Type.Object({ triggers: Type.Optional(Triggers) })),
  }),
  ({ useNotificationService, notificationServiceConfig }) =>
    useNotificationService !== undefined || notificationServiceConfig !== undefined,
  () => "must have at least one of useNotificationService, notificationServiceConfig",
);
export type NotificationConfigUpdate = Static<typeof NotificationConfigUpdate>;

const BEFORE_ANY_UPDATE: NotificationConfig = {
  useNotificationService: true,
  notificationServiceConfig: {
    triggers: {
      comment: {
        ...{ newlyAdded: true, added: true, updated: true },
        ...{ statusChanged: true, assigned: true, priorityChanged: true },
      },
    },
  },
};

/** Reads the stored configuration, which is missing before the first update. */
export function readNotificationConfig(stored: string | null): NotificationConfig {
  return stored === null ? BEFORE_ANY_UPDATE : mergeNotificationConfig(BEFORE_ANY_UPDATE, JSON.parse(stored));
}

/** Replaces the fields that are sent, at any depth, and keeps the others. */
export function mergeNotificationConfig(
  before: NotificationConfig,
  { useNotificationService, notificationServiceConfig: changes = {} }: NotificationConfigUpdate,
): NotificationConfig {
  const { triggers } = before.notificationServiceConfig;
  return {
    useNotificationService: useNotificationService ?? before.useNotificationService,
    notificationServiceConfig: {
      triggers: { comment: { ...triggers.comment, ...changes.triggers?.comment } },
    },
  };
}

/** Returns what the stored configuration means for comments. */
export function commentNotificationsOf(stored: string | null): CommentNotifications {
  if (stored === null) return DEFAULT_COMMENT_NOTIFICATIONS;
  const { useNotificationService, notificationServiceConfig } = readNotificationConfig(stored);
  const { comment } = notificationServiceConfig.triggers;
  const events = NAMES.filter((name) => useNotificationService && comment[name]).map((name) => COMMENT_EVENTS[name]);
  return { events };
}

/** Returns the keys of an object that has no others than those of its type. */
function keysOf<Known extends object>(object: Known): (keyof Known)[] {
  return Object.keys(object) as (keyof Known)[];
}

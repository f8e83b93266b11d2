import Type, { type Static, type TSchema } from "typebox";
import {
  COMMENT_EVENTS,
  type CommentEventName,
  type CommentNotifications,
  DEFAULT_COMMENT_NOTIFICATIONS,
  type Window,
} from "../../../contract/comment-notifications.ts";

const NAMES = getKeys(COMMENT_EVENTS);

const CommentTriggers = Type.Object(
  {
    newlyAdded: Type.Boolean(),
    added: Type.Boolean(),
    updated: Type.Boolean({ description: "For users whom an update of a comment tags." }),
    statusChanged: Type.Boolean(),
    assigned: Type.Boolean(),
    priorityChanged: Type.Boolean(),
  },
  { description: "Comment events that notify." },
);

/** The same switches by the names of their events. */
const FLAT_TRIGGERS = {
  "comment_annotation.add": Type.Boolean(),
  "comment.add": Type.Boolean(),
  "comment.update": Type.Boolean(),
  "comment_annotation.status_change": Type.Boolean(),
  "comment_annotation.assign": Type.Boolean(),
  "comment_annotation.priority_change": Type.Boolean(),
} satisfies Record<CommentEventName, TSchema>;

const useNotificationService = Type.Boolean({ description: "Whether comments notify users at all." });

const DelayConfig = Type.Object(
  {
    isEnabled: Type.Boolean(),
    delaySeconds: Type.Integer({ minimum: 10, maximum: 15_552_000, description: "At most 180 days." }),
  },
  { description: "How long a notification is delayed, in which reading the annotation drops it." },
);

const WindowConfig = Type.Object({
  isEnabled: Type.Boolean(),
  batchWindowSeconds: Type.Integer({ minimum: 10, maximum: 604_800, description: "At most 7 days." }),
  maxActivities: Type.Integer({ minimum: 2, maximum: 50, description: "Number that ends a window early." }),
});
type WindowConfig = Static<typeof WindowConfig>;

export const NotificationConfig = Type.Object(
  {
    useNotificationService,
    notificationServiceConfig: Type.Object({
      triggers: Type.Object({ comment: CommentTriggers }),
      delayConfig: DelayConfig,
      batchConfig: Type.Object(
        { document: WindowConfig, user: WindowConfig },
        { description: "Windows in which a user's notifications are collected, in each document and in all of them." },
      ),
    }),
  },
  { title: "NotificationConfig" },
);
export type NotificationConfig = Static<typeof NotificationConfig>;

const ServiceConfigUpdate = Type.Partial(
  Type.Object({
    triggers: Type.Partial(Type.Object({ comment: Type.Partial(CommentTriggers), ...FLAT_TRIGGERS }), {
      description: "Switches in `comment`, or by the names of their events, such as `comment.add`.",
    }),
    delayConfig: Type.Partial(DelayConfig),
    batchConfig: Type.Partial(Type.Object({ document: Type.Partial(WindowConfig), user: Type.Partial(WindowConfig) })),
  }),
);

type SentTriggers = Static<typeof ServiceConfigUpdate>["triggers"];

export const NotificationConfigUpdate = Type.Refine(
  Type.Object({
    useNotificationService: Type.Optional(useNotificationService),
    notificationServiceConfig: Type.Optional(ServiceConfigUpdate),
  }),
  ({ useNotificationService, notificationServiceConfig }) =>
    useNotificationService !== undefined || notificationServiceConfig !== undefined,
  () => "must have at least one of useNotificationService, notificationServiceConfig",
);
export type NotificationConfigUpdate = Static<typeof NotificationConfigUpdate>;

const NO_WINDOW: WindowConfig = { isEnabled: false, batchWindowSeconds: 10, maxActivities: 2 };

const BEFORE_ANY_UPDATE: NotificationConfig = {
  useNotificationService: true,
  notificationServiceConfig: {
    triggers: {
      comment: {
        ...{ newlyAdded: true, added: true, updated: true },
        ...{ statusChanged: true, assigned: true, priorityChanged: true },
      },
    },
    delayConfig: { isEnabled: false, delaySeconds: 10 },
    batchConfig: { document: NO_WINDOW, user: NO_WINDOW },
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
  const { triggers, delayConfig, batchConfig } = before.notificationServiceConfig;
  return {
    useNotificationService: useNotificationService ?? before.useNotificationService,
    notificationServiceConfig: {
      triggers: { comment: { ...triggers.comment, ...getSwitches(changes.triggers) } },
      delayConfig: { ...delayConfig, ...changes.delayConfig },
      batchConfig: {
        document: { ...batchConfig.document, ...changes.batchConfig?.document },
        user: { ...batchConfig.user, ...changes.batchConfig?.user },
      },
    },
  };
}

/** Returns the switches that are sent, flat ones under their names in `comment`, whose own value precedes. */
function getSwitches({ comment, ...flat }: NonNullable<SentTriggers> = {}): Partial<Static<typeof CommentTriggers>> {
  const named = NAMES.flatMap((name) => {
    const isOn = flat[COMMENT_EVENTS[name]];
    return isOn === undefined ? [] : [[name, isOn]];
  });
  return { ...Object.fromEntries(named), ...comment };
}

/** Returns what the stored configuration means for comments. */
export function getCommentNotifications(stored: string | null): CommentNotifications {
  if (stored === null) return DEFAULT_COMMENT_NOTIFICATIONS;
  const { useNotificationService, notificationServiceConfig } = readNotificationConfig(stored);
  const { triggers, delayConfig, batchConfig } = notificationServiceConfig;
  const { comment } = triggers;
  const events = NAMES.filter((name) => useNotificationService && comment[name]).map((name) => COMMENT_EVENTS[name]);
  const deliverySettings = {
    delaySeconds: delayConfig.isEnabled ? delayConfig.delaySeconds : 0,
    document: toWindow(batchConfig.document),
    user: toWindow(batchConfig.user),
  };
  const isDelayed = delayConfig.isEnabled || deliverySettings.document || deliverySettings.user;
  return { events, deliverySettings: isDelayed ? deliverySettings : undefined };
}

function toWindow({ isEnabled, batchWindowSeconds, maxActivities }: WindowConfig): Window | undefined {
  return isEnabled ? { seconds: batchWindowSeconds, maxActivities } : undefined;
}

/** Returns the keys of an object that has no others than those of its type. */
function getKeys<Known extends object>(object: Known): (keyof Known)[] {
  return Object.keys(object) as (keyof Known)[];
}

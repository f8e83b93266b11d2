import type { RequestData, ResponseData } from "../../api/call.ts";
import { type Duration, toDuration, toSeconds } from "../../components/duration.ts";

export type NotificationConfig = ResponseData<"/v2/workspace/notificationconfig/get">;
type Update = RequestData<"/v2/workspace/notificationconfig/update">;
type ServiceConfig = NotificationConfig["notificationServiceConfig"];
type Triggers = ServiceConfig["triggers"]["comment"];
export type TriggerName = keyof Triggers;
export type WindowName = keyof ServiceConfig["batchConfig"];

/** State of the fields of a window. */
export interface WindowForm {
  isEnabled: boolean;
  length: Duration;
  maxActivities: string;
}

/** State of the form. */
export interface NotificationForm {
  isOn: boolean;
  triggers: Triggers;
  delay: { isEnabled: boolean; length: Duration };
  windows: Record<WindowName, WindowForm>;
}

/** Labels of the comment events, in the order of the form. */
export const TRIGGER_LABELS: Record<TriggerName, string> = {
  newlyAdded: "A user begins a thread",
  added: "A user replies",
  updated: "An update of a comment tags users",
  statusChanged: "The status of a thread changes",
  assigned: "A thread is assigned",
  priorityChanged: "The priority of a thread changes",
};
export const TRIGGER_NAMES = Object.keys(TRIGGER_LABELS).filter((name): name is TriggerName => name in TRIGGER_LABELS);

/** The windows, with what each collects. */
export const WINDOWS: Record<WindowName, { label: string; description: string }> = {
  document: {
    label: "Digests by document",
    description: "Collects what happens in one document, and notifies each user of it once.",
  },
  user: {
    label: "Digests by user",
    description:
      "Collects what happens in all documents of an organization, and notifies each user at one time, once for each " +
      "document.",
  },
};
export const WINDOW_NAMES = Object.keys(WINDOWS).filter((name): name is WindowName => name in WINDOWS);

const PATH = "data.notificationServiceConfig";
/** Paths of the fields in the request, by which errors name them. */
export const DELAY_PATH = `${PATH}.delayConfig.delaySeconds`;

/** Returns the path in the request of a field of a window. */
export function windowPath(name: WindowName, field: "batchWindowSeconds" | "maxActivities"): string {
  return `${PATH}.batchConfig.${name}.${field}`;
}

/** Paths of all fields that can be wrong. */
export const FIELD_PATHS = [
  DELAY_PATH,
  ...WINDOW_NAMES.flatMap((name) => [windowPath(name, "batchWindowSeconds"), windowPath(name, "maxActivities")]),
];

/** Returns the form for the stored settings. */
export function toForm({ useNotificationService, notificationServiceConfig }: NotificationConfig): NotificationForm {
  const { triggers, delayConfig, batchConfig } = notificationServiceConfig;
  return {
    isOn: useNotificationService,
    triggers: triggers.comment,
    delay: { isEnabled: delayConfig.isEnabled, length: toDuration(delayConfig.delaySeconds) },
    windows: { document: toWindowForm(batchConfig.document), user: toWindowForm(batchConfig.user) },
  };
}

function toWindowForm({ isEnabled, batchWindowSeconds, maxActivities }: ServiceConfig["batchConfig"]["user"]) {
  return { isEnabled, length: toDuration(batchWindowSeconds), maxActivities: String(maxActivities) };
}

/** Returns the update that saves the form. What is turned off keeps its stored values, which the form does not show. */
export function toUpdate({ isOn, triggers, delay, windows }: NotificationForm): Update {
  return {
    useNotificationService: isOn,
    notificationServiceConfig: {
      triggers: { comment: triggers },
      delayConfig: { isEnabled: delay.isEnabled, ...(delay.isEnabled && { delaySeconds: toSeconds(delay.length) }) },
      batchConfig: { document: toWindow(windows.document), user: toWindow(windows.user) },
    },
  };
}

function toWindow({ isEnabled, length, maxActivities }: WindowForm) {
  if (!isEnabled) return { isEnabled };
  return { isEnabled, batchWindowSeconds: toSeconds(length), maxActivities: Number(maxActivities) };
}

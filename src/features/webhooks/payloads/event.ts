import type { EventDetails, EventKind } from "../../event-log/event.ts";
import { NAMED_TRIGGERS } from "../../workspaces/triggers.ts";
import { ACCESS_MODE_CHANGED } from "../config/triggers.ts";

/** An event of the log, with what webhooks report about it. */
export interface WebhookEvent {
  organizationId: string;
  kind: EventKind;
  documentId: string | null;
  subject: Readonly<Record<string, string | number>>;
  details: EventDetails | null;
  /** The acting user, if known. */
  userId: string | null;
}

type KindOfEvent = Pick<WebhookEvent, "kind" | "details">;

/** Returns whether a webhook reports the event. Added comments are only reported with `triggerNotification`. */
export function isReported({ kind, details }: KindOfEvent): boolean {
  if (kind === "comment_annotation.add" || kind === "comment.add") return details?.triggerNotification === true;
  return isSentToEndpoints(kind) || details?.accessModeChanged === true;
}

/** Returns whether endpoints get reported events of the kind. Only basic webhooks report a changed visibility. */
export function isSentToEndpoints(kind: EventKind): boolean {
  return NAMED_TRIGGERS.has(kind);
}

/** Returns the feature of an event and its action, as basic webhooks and their triggers name them. */
export function getTrigger({ kind, details }: KindOfEvent): readonly [feature: string, action: string] | undefined {
  return details?.accessModeChanged ? ["comment", ACCESS_MODE_CHANGED] : NAMED_TRIGGERS.get(kind);
}

/** Returns the action of an event as advanced webhooks name it, such as `statusChange`. */
export function getAction({ kind }: KindOfEvent): string {
  const [, action = ""] = kind.split(".");
  return action.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

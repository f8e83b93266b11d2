import Type from "typebox";
import { isObject } from "../../json/is-object.ts";
import { byName, Switches } from "./switches.ts";

/** Switches by the feature and the name of what happened, such as `{ comment: { added: true } }`. */
export type Triggers = Record<string, boolean | Record<string, boolean>>;

/** Triggers as they are sent: a switch is in the object of its feature, or has the flat name of an event. */
export const Triggers = Type.Unsafe<Triggers>(
  byName(
    Type.Union([Type.Boolean(), Switches]),
    "Switches by feature, such as `{ comment: { added: true } }`, or by flat names of events, such as `comment.add`",
  ),
);

/** The feature and the name of the switch that a flat event name stands for. */
export const NAMED_TRIGGERS = new Map<string, readonly [feature: string, name: string]>([
  ["comment_annotation.add", ["comment", "newlyAdded"]],
  ["comment.add", ["comment", "added"]],
  ["comment.update", ["comment", "updated"]],
  ["comment.delete", ["comment", "deleted"]],
  ["comment_annotation.status_change", ["comment", "statusChanged"]],
  ["comment_annotation.assign", ["comment", "assigned"]],
  ["comment_annotation.priority_change", ["comment", "priorityChanged"]],
  ["comment.reaction_add", ["comment", "reactionAdded"]],
  ["comment.reaction_delete", ["comment", "reactionDeleted"]],
  ["comment_annotation.suggestion_accept", ["comment", "suggestionAccepted"]],
  ["comment_annotation.suggestion_reject", ["comment", "suggestionRejected"]],
  ["comment_annotation.custom_list_change", ["comment", "customListChanged"]],
  ["comment_annotation.subscribe", ["comment", "subscribed"]],
  ["comment_annotation.unsubscribe", ["comment", "unsubscribed"]],
  ["comment_annotation.accept", ["comment", "accepted"]],
  ["comment_annotation.reject", ["comment", "rejected"]],
  ["comment_annotation.approve", ["comment", "approved"]],
  ["crdt.update_data", ["crdt", "updateData"]],
  ["recorder.done", ["recorder", "done"]],
]);

/** Returns the triggers with known flat names nested. Other flat names stay as they are. */
export function nestTriggers(triggers: Triggers): Triggers {
  return mergeTriggers({}, triggers);
}

/** Replaces the given switches and keeps the others. Known flat names become nested. */
export function mergeTriggers(before: Triggers, changes: Triggers): Triggers {
  const merged = new Map(Object.entries(before));
  const set = (feature: string, switches: Record<string, boolean>) => {
    const known = merged.get(feature);
    merged.set(feature, { ...(isObject(known) && known), ...switches });
  };
  for (const [name, value] of Object.entries(changes)) {
    const [feature, nested] = NAMED_TRIGGERS.get(name) ?? [];
    if (isObject(value)) set(name, value);
    else if (feature !== undefined && nested !== undefined) set(feature, { [nested]: value });
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** Returns the number of switches. */
export function countTriggers(triggers: Triggers): number {
  return Object.values(triggers).reduce(
    (count: number, value) => count + (isObject(value) ? Object.keys(value).length : 1),
    0,
  );
}

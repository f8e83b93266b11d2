import { isObject } from "../../../json/is-object.ts";
import { NAMED_TRIGGERS, type Triggers } from "../../workspaces/triggers.ts";

/** The trigger of a changed visibility, whose event has no flat name. */
export const ACCESS_MODE_CHANGED = "accessModeChanged";

const OFF_BY_DEFAULT = ["suggestionAccepted", "suggestionRejected"];

/** Triggers of basic webhooks that are enabled without any. */
export const DEFAULT_TRIGGERS: Triggers = defaultTriggers();

function defaultTriggers(): Triggers {
  const triggers: Record<string, Record<string, boolean>> = {};
  for (const [feature, name] of [...NAMED_TRIGGERS.values(), ["comment", ACCESS_MODE_CHANGED] as const]) {
    triggers[feature] = { ...triggers[feature], [name]: feature === "comment" && !OFF_BY_DEFAULT.includes(name) };
  }
  return triggers;
}

/** Returns whether the trigger is on. */
export function isTriggered(triggers: Triggers | undefined, feature: string, name: string): boolean {
  const switches = triggers?.[feature];
  return isObject(switches) && switches[name] === true;
}

import type { Activity } from "../api/records.ts";
import { fillTemplate, userLabel } from "./display-text.ts";

type MessageFields = Pick<
  Activity,
  "displayMessageTemplate" | "displayMessageTemplateData" | "actionUser" | "actionType"
>;

/** Returns the message of an activity: its template with the user and data filled in, or the user and the action. */
export function activityMessage(activity: MessageFields): string {
  const { displayMessageTemplate, displayMessageTemplateData, actionUser, actionType } = activity;
  if (!displayMessageTemplate) return `${userLabel(actionUser)}: ${actionType}`;
  return fillTemplate("activity", displayMessageTemplate, { actionUser, ...displayMessageTemplateData });
}

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** Returns the changes that have the documented form `{ from, to }`, or one of the two. */
export function fieldChanges(changes: object | null | undefined): FieldChange[] {
  return Object.entries(changes ?? {}).flatMap(([field, change]: [string, unknown]) => {
    if (typeof change !== "object" || change === null || !("from" in change || "to" in change)) return [];
    const { from, to }: { from?: unknown; to?: unknown } = change;
    return [{ field, from, to }];
  });
}

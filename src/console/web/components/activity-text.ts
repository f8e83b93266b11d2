import type { Activity } from "../api/records.ts";
import { displayText, fillTemplate, placeholdersIn, userLabel } from "./display-text.ts";

type MessageFields = Pick<
  Activity,
  "displayMessageTemplate" | "displayMessageTemplateData" | "actionUser" | "actionType"
>;

/** Returns the message of an activity: its template with the user and data filled in, or the user and the action. */
export function activityMessage(activity: MessageFields): string {
  const { displayMessageTemplate, actionUser, actionType } = activity;
  if (!displayMessageTemplate) return `${userLabel(actionUser)}: ${actionType}`;
  return fillTemplate("activity", displayMessageTemplate, messageData(activity));
}

/** Returns whether the name of the user is filled into the message of an activity. */
export function namesUser(activity: MessageFields): boolean {
  const { displayMessageTemplate, actionUser } = activity;
  if (!displayMessageTemplate) return true;
  const values = new Map<string, unknown>(Object.entries(messageData(activity)));
  const user = userLabel(actionUser);
  return placeholdersIn("activity", displayMessageTemplate).some(
    (name) => values.has(name) && displayText(values.get(name)) === user,
  );
}

function messageData({ actionUser, displayMessageTemplateData }: MessageFields): object {
  return { actionUser, ...displayMessageTemplateData };
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

/** Returns a change in one line, such as "title: Payment → Terms of payment". */
export function changeText({ field, from, to }: FieldChange): string {
  const [before, after] = [from, to].map((value) => (value === undefined ? "none" : displayText(value)));
  return `${field}: ${before} → ${after}`;
}

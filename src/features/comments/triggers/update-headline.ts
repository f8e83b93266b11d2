import { type CommentTrigger, isResolved, toLabel } from "./comment-trigger.ts";
import { getHeadline, MESSAGES } from "./messages.ts";

/** Returns whether the triggers are different changes of one annotation by one user, which one sentence can say. */
export function isOneUpdate(triggers: readonly CommentTrigger[]): boolean {
  const [first] = triggers;
  if (!first || triggers.some((trigger) => getChangeKey(trigger) === undefined)) return false;
  const { annotationId, actionUser } = first;
  const isSame = (trigger: CommentTrigger) =>
    trigger.annotationId === annotationId && trigger.actionUser.userId === actionUser.userId;
  return triggers.every(isSame) && new Set(triggers.map(({ actionType }) => actionType)).size === triggers.length;
}

/** Returns the headline of a notification of changes of one annotation, and the values of its placeholders. */
export function getUpdateHeadline(triggers: readonly CommentTrigger[], actionUser: object, document: string) {
  const values = triggers.map(({ actionType, changes, assignee }) => {
    if (actionType === "comment_annotation.status_change") return { status: toLabel(changes?.status?.to) };
    if (actionType === "comment_annotation.assign") return { assignee };
    return { priority: toLabel(changes?.priority?.to) };
  });
  return {
    ...joinChanges(triggers.flatMap((trigger) => getChangeKey(trigger) ?? [])),
    displayHeadlineMessageTemplateData: Object.assign({ actionUser, document }, ...values),
  };
}

/** What the user did with the discussion, by the key of the change, where the change before it names the discussion. */
const FURTHER_CHANGES = {
  "notification.comment_annotation.resolve": "resolved it as {status}",
  "notification.comment_annotation.status_change": "changed its status to {status}",
  "notification.comment_annotation.assign": "assigned it to {assignee}",
  "notification.comment_annotation.unassign": "removed its assignee",
  "notification.comment_annotation.priority_change": "changed its priority to {priority}",
  "notification.comment_annotation.unnamed_priority": "changed its priority",
  "notification.comment_annotation.priority_remove": "removed its priority",
} as const;

const SEVERAL = "notification.comment_annotation.update";

type ChangeKey = keyof typeof FURTHER_CHANGES;

function getChangeKey(trigger: CommentTrigger): ChangeKey | undefined {
  const { actionType, assignee, changes } = trigger;
  if (isResolved(trigger)) return "notification.comment_annotation.resolve";
  if (actionType === "comment_annotation.status_change") return "notification.comment_annotation.status_change";
  if (actionType === "comment_annotation.assign") {
    return assignee ? "notification.comment_annotation.assign" : "notification.comment_annotation.unassign";
  }
  if (actionType !== "comment_annotation.priority_change") return undefined;
  if (changes?.priority?.to === null) return "notification.comment_annotation.priority_remove";
  const isNamed = toLabel(changes?.priority?.to) !== undefined;
  return isNamed
    ? "notification.comment_annotation.priority_change"
    : "notification.comment_annotation.unnamed_priority";
}

/** Returns the headline of one change. That of several has a key for all of them, and a template that names each. */
function joinChanges([first, ...others]: ChangeKey[]) {
  if (!first || others.length === 0) return getHeadline(first ?? SEVERAL);
  const changes = [MESSAGES[first], ...others.map((other) => FURTHER_CHANGES[other])];
  const displayHeadlineMessageTemplate = `${changes.slice(0, -1).join(", ")} and ${changes.at(-1)}`;
  return { ...getHeadline(SEVERAL), displayHeadlineMessageTemplate };
}

import { type CommentTrigger, isResolved, toLabel } from "./comment-trigger.ts";

/** Returns whether the triggers are different changes of one annotation by one user, which one sentence can say. */
export function isOneUpdate(triggers: readonly CommentTrigger[]): boolean {
  const [first] = triggers;
  if (!first || triggers.some(({ actionType }) => actionType in PHRASES === false)) return false;
  const { annotationId, actionUser } = first;
  const isSame = (trigger: CommentTrigger) =>
    trigger.annotationId === annotationId && trigger.actionUser.userId === actionUser.userId;
  return triggers.every(isSame) && new Set(triggers.map(({ actionType }) => actionType)).size === triggers.length;
}

/** Returns the headline of a notification of changes of one annotation, and the values of its placeholders. */
export function getUpdateHeadline(triggers: readonly CommentTrigger[], actionUser: object, document: string) {
  const phrases = triggers.map((trigger, index) => PHRASES[trigger.actionType]?.(trigger, index === 0));
  const last = phrases.at(-1);
  const list = phrases.length > 1 ? `${phrases.slice(0, -1).join(", ")} and ${last}` : last;
  const values = triggers.map(({ actionType, changes, assignee }) => {
    if (actionType === "comment_annotation.status_change") return { status: toLabel(changes?.status?.to) };
    if (actionType === "comment_annotation.assign") return { assignee };
    return { priority: toLabel(changes?.priority?.to) };
  });
  return {
    displayHeadlineMessageTemplate: `{actionUser} ${list}`,
    displayHeadlineMessageTemplateData: Object.assign({ actionUser, document }, ...values),
  };
}

/** Returns what the user did with the discussion, which only the first phrase names. */
type Phrase = (trigger: CommentTrigger, isFirst: boolean) => string;

const PHRASES: { [ActionType in CommentTrigger["actionType"]]?: Phrase } = {
  "comment_annotation.status_change"(trigger, isFirst) {
    if (isResolved(trigger)) return `resolved ${isFirst ? "a discussion in {document}" : "it"} as {status}`;
    return `changed ${getField("status", isFirst)} to {status}`;
  },
  "comment_annotation.assign"({ assignee }, isFirst) {
    if (!assignee) return `removed ${getField("assignee", isFirst)}`;
    return `assigned ${isFirst ? "a discussion in {document}" : "it"} to {assignee}`;
  },
  "comment_annotation.priority_change"({ changes }, isFirst) {
    const label = toLabel(changes?.priority?.to);
    return `${changes?.priority?.to === null ? "removed" : "changed"} ${getField("priority", isFirst)}${
      label === undefined ? "" : " to {priority}"
    }`;
  },
};

function getField(name: string, isFirst: boolean): string {
  return isFirst ? `the ${name} of a discussion in {document}` : `its ${name}`;
}

import type { Workspace } from "../../../contract/operation.ts";
import { MAIL_TRIGGERS, type MailTrigger } from "../../../email/templates.ts";
import { isMailed, type MailedEvent } from "../../mails/queue-mails.ts";
import { type CommentTrigger, isResolved, toLabel } from "./comment-trigger.ts";

/** Returns the triggers that are mailed, in the same groups. Leaves out those that the workspace does not mail. */
export function toMailedEvents(workspace: Workspace, groups: CommentTrigger[][]): MailedEvent[][] {
  return groups.map((triggers) => triggers.flatMap((trigger) => toMailedEvent(workspace, trigger)));
}

function toMailedEvent(workspace: Workspace, trigger: CommentTrigger): MailedEvent[] {
  const { documentId, annotationId, commentId, updateId, actionUser: actor, tagged, assignee } = trigger;
  const mailTrigger = getMailTrigger(workspace, trigger);
  if (!mailTrigger) return [];
  const change = trigger.changes?.status ?? trigger.changes?.priority;
  const labels = { from: toLabel(change?.from), to: toLabel(change?.to), isResolved: isResolved(trigger) };
  const about = { text: trigger.commentText, tagged, ...labels, assignee };
  const recipients = getRecipients(trigger);
  return [{ documentId, annotationId, commentId, updateId, trigger: mailTrigger, actor, recipients, about }];
}

/** Returns the name of the trigger for mails; undefined if the workspace sends none. */
export function getMailTrigger(workspace: Workspace, { actionType }: CommentTrigger): MailTrigger | undefined {
  const mailTrigger = MAIL_TRIGGERS.find((name) => name === actionType);
  return mailTrigger && isMailed(workspace, mailTrigger) ? mailTrigger : undefined;
}

/** Returns the users whom the trigger concerns, and the participants. A user may occur several times. */
export function getRecipients({ concerned, participants }: CommentTrigger): MailedEvent["recipients"] {
  return [
    ...concerned.map((user) => ({ ...user, isConcerned: true })),
    ...[...participants].map((userId) => ({ userId, isConcerned: false })),
  ];
}

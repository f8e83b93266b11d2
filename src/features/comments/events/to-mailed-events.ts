import type { Workspace } from "../../../contract/operation.ts";
import { TRIGGERS, type Trigger } from "../../../email/templates.ts";
import { isMailed, type MailedEvent } from "../../mails/queue-mails.ts";
import type { CommentEvent } from "./comment-event.ts";

/** Returns the events that are mailed, in the same groups. Leaves out those that the workspace does not mail. */
export function toMailedEvents(workspace: Workspace, groups: CommentEvent[][]): MailedEvent[][] {
  return groups.map((events) => events.flatMap((event) => toMailedEvent(workspace, event)));
}

function toMailedEvent(workspace: Workspace, event: CommentEvent): MailedEvent[] {
  const { documentId, annotationId, actionUser: actor, tagged, assignee } = event;
  const trigger = getMailTrigger(workspace, event);
  if (!trigger) return [];
  const change = event.changes?.status ?? event.changes?.priority;
  const about = { text: event.commentText, tagged, from: toLabel(change?.from), to: toLabel(change?.to), assignee };
  return [{ documentId, annotationId, trigger, actor, recipients: getRecipients(event), about }];
}

/** Returns the trigger of the event's mails; undefined if the workspace sends none. */
export function getMailTrigger(workspace: Workspace, { actionType }: CommentEvent): Trigger | undefined {
  const trigger = TRIGGERS.find((name) => name === actionType);
  return trigger && isMailed(workspace, trigger) ? trigger : undefined;
}

/** Returns the users whom the event concerns, and the participants. A user may occur several times. */
export function getRecipients({ concerned, participants }: CommentEvent): MailedEvent["recipients"] {
  return [
    ...concerned.map((user) => ({ ...user, isConcerned: true })),
    ...[...participants].map((userId) => ({ userId, isConcerned: false })),
  ];
}

/** Returns the label of a status or priority, which is a text, a number or an object with a name or an id. */
function toLabel(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const { name, id }: { name?: unknown; id?: unknown } = value;
  return toLabel(typeof name === "object" ? undefined : name) ?? (typeof id === "object" ? undefined : toLabel(id));
}

import type { User } from "../../../contract/schema.ts";
import type { VisibilityConfig } from "../annotations/visibility.ts";

interface NamedUser {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

interface Change {
  from: unknown;
  to: unknown;
}

type ActionType =
  | "comment_annotation.add"
  | "comment.add"
  | "comment.update"
  | "comment.delete"
  | "comment_annotation.delete"
  | "comment_annotation.status_change"
  | "comment_annotation.assign"
  | "comment_annotation.priority_change";

/** An event of an annotation that notifications, mails and activities follow, with the users it concerns. */
export interface CommentTrigger {
  actionType: ActionType;
  actionUser: User;
  documentId: string;
  annotationId: string;
  annotationSequence: number;
  locationId?: string | undefined;
  commentId?: number | undefined;
  commentText?: string | undefined;
  /** ID that the changes of one update have in common, if the trigger was delayed. */
  updateId?: string | undefined;
  /** Pairs of the annotation's access context, which its notifications inherit. */
  access?: object | undefined;
  /** Visibility of the annotation, if it is not public. */
  visibilityConfig?: VisibilityConfig | undefined;
  changes?: { [field: string]: Change } | undefined;
  /** Users tagged or assigned, with their known fields. May contain the acting user. */
  concerned: NamedUser[];
  /** Participants before the event. May contain the acting user. */
  participants: Iterable<string>;
  /** Users tagged in the text. */
  tagged?: NamedUser[] | undefined;
  /** User to whom the annotation is now assigned. */
  assignee?: NamedUser | undefined;
  triggerActivities?: boolean | undefined;
  triggerNotification?: boolean | undefined;
}

/** Returns the label of a status or priority, which is a text, a number or an object with a name or an id. */
export function toLabel(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const { name, id }: { name?: unknown; id?: unknown } = value;
  return toLabel(typeof name === "object" ? undefined : name) ?? (typeof id === "object" ? undefined : toLabel(id));
}

/** Returns whether the trigger gives its annotation a status that ends the discussion. */
export function isResolved({ changes }: Pick<CommentTrigger, "changes">): boolean {
  const status = changes?.status?.to;
  return typeof status === "object" && status !== null && Reflect.get(status, "type") === "terminal";
}

/** Returns what a notification or activity record says about a trigger. */
export function toSource({ annotationId, commentId, commentText, changes }: CommentTrigger): object {
  return { annotationId, commentId, commentText, changes };
}

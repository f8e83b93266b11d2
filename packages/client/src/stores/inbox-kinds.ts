import type { StreamEvent } from "../events.ts";

/** Kinds of the events that change inboxes. Deleting an annotation or a document takes its notifications along. */
export const INBOX_KINDS: readonly StreamEvent["event"][] = [
  "notification.add",
  "notification.update",
  "notification.delete",
  "comment_annotation.delete",
  "document.delete",
];

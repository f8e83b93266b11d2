import { createPlural, describeLanguage } from "../language.ts";
import type { Texts } from "../language-texts.ts";

const plural = createPlural<"one">("en");

/** English texts. Records show the messages of the service, which are in English. */
export const english: Texts = {
  ...describeLanguage("en"),
  loading: "Loading…",
  tryAgain: "Try again",
  showMore: "Show more",
  deletedUser: "Deleted user",
  avatars: "In this document",
  away: (name) => `${name} (away)`,
  moreUsers: (count) => plural(count, { one: "# more", other: "# more" }),
  activity: "Activity",
  noActivity: "No activity yet.",
  inbox: "Inbox",
  notifications: "Notifications",
  inboxEmpty: "Inbox is empty.",
  unread: (count) => plural(count, { one: "# unread", other: "# unread" }),
  markRead: "Mark as read",
  markReadOf: (headline) => `Mark as read: ${headline}`,
  markAllRead: "Mark all as read",
  threadOf: (name) => `Thread started by ${name}`,
  reactions: "Reactions",
  reply: "Reply",
  send: "Send",
  resolve: "Resolve",
  resolved: "Resolved",
  reopen: "Reopen",
  edit: "Edit",
  editedByModerator: "Edited by a moderator",
  cancel: "Cancel",
  save: "Save",
  delete: "Delete",
  confirmDelete: "Delete this comment?",
  messages: {},
  error: (error) => error.message,
};

import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from "react";

/** Texts of the components. */
export interface Texts {
  loading: string;
  tryAgain: string;
  showMore: string;
  /** Name of a user whose data was deleted. */
  deletedUser: string;
  /** Name of `Avatars` for screen readers. */
  avatars: string;
  /** Name of a user who is away. */
  away: (name: string) => string;
  /** Number of users who are not shown. */
  moreUsers: (count: number) => string;
  activity: string;
  noActivity: string;
  inbox: string;
  notifications: string;
  inboxEmpty: string;
  unread: (count: number) => string;
  markRead: string;
  /** Name of the button of one notification for screen readers. */
  markReadOf: (headline: string) => string;
  markAllRead: string;
  /** Name of a thread for screen readers. */
  threadOf: (name: string) => string;
  /** Name of the reactions to a comment for screen readers. */
  reactions: string;
  reply: string;
  send: string;
  resolve: string;
  resolved: string;
  reopen: string;
  edit: string;
  /** Note below a comment that somebody else than its author has changed. */
  editedByModerator: string;
  cancel: string;
  save: string;
  delete: string;
  /** Question before a comment is deleted. */
  confirmDelete: string;
  /** Templates that replace those of activities and notifications, by `messageKey`. */
  messages: Readonly<Record<string, string>>;
  /** Text of an error. Messages of the service are in English. */
  error: (error: Error) => string;
  /** Text of a time, in the language of the browser by default. */
  time: (date: Date) => string;
}

const ENGLISH: Texts = {
  loading: "Loading…",
  tryAgain: "Try again",
  showMore: "Show more",
  deletedUser: "Deleted user",
  avatars: "In this document",
  away: (name) => `${name} (away)`,
  moreUsers: (count) => `${count} more`,
  activity: "Activity",
  noActivity: "No activity yet.",
  inbox: "Inbox",
  notifications: "Notifications",
  inboxEmpty: "Inbox is empty.",
  unread: (count) => `${count} unread`,
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
  time: formatTime,
};

/** Returns a time in the language of the browser, with its date unless it is today. */
function formatTime(date: Date): string {
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString([], { timeStyle: "short" })
    : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

const TextsContext = createContext(ENGLISH);

/** Props of `TextsProvider`. */
export interface TextsProviderProps {
  /** Texts that replace English ones. */
  texts: Partial<Texts>;
  children?: ReactNode | undefined;
}

/** Replaces texts of the components below it, for products in another language. */
export function TextsProvider({ texts, children }: TextsProviderProps): ReactElement {
  const outer = useTexts();
  const value = useMemo(() => {
    return { ...outer, ...texts, messages: { ...outer.messages, ...texts.messages } };
  }, [outer, texts]);
  return <TextsContext.Provider value={value}>{children}</TextsContext.Provider>;
}

/** Returns the texts of the components. */
export function useTexts(): Texts {
  return useContext(TextsContext);
}

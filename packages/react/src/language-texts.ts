/** Keys of the messages that the service writes. */
export type MessageKey =
  | `activity.comment_annotation.${"add" | "delete" | "resolve" | "status_change" | "assign" | "priority_change"}`
  | `activity.comment.${"add" | "delete"}`
  | `notification.comment_annotation.${"add" | "resolve" | "status_change" | "assign" | "unassign" | "update"}`
  | `notification.comment_annotation.${"priority_change" | "unnamed_priority" | "priority_remove"}`
  | `notification.comment.${"add" | "mention" | "digest" | "digest_of_one"}`;

/** Texts of the components. */
export interface Texts {
  /** Language of the texts, such as `en` or `pt-BR`. */
  language: string;
  /** Direction in which the language is written. */
  direction: "ltr" | "rtl";
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
  /** Button that shows the other activities of an entry. */
  moreLike: (count: number) => string;
  inbox: string;
  notifications: string;
  inboxEmpty: string;
  unread: (count: number) => string;
  markRead: string;
  markAllRead: string;
  /** Names of the tabs of `Inbox`. */
  tabAll: string;
  tabUnread: string;
  tabMentions: string;
  tabArchived: string;
  noUnread: string;
  noMentions: string;
  noArchived: string;
  /** State of a notification or thread for screen readers. */
  isUnread: string;
  archive: string;
  restore: string;
  /** Name of a button for screen readers: what it does, and to which item. */
  actionOf: (action: string, name: string) => string;
  /** Button that shows the earlier notifications of a thread. */
  earlier: (count: number) => string;
  showLess: string;
  /** Name of `InboxButton` for screen readers. */
  inboxWith: (unreadCount: number) => string;
  preferences: string;
  document: string;
  allDocuments: string;
  thisDocument: string;
  email: string;
  /** Choices of what the user is notified of. */
  notifyAll: string;
  notifyMine: string;
  notifyNone: string;
  /** Choice of a document that has the one for all documents. */
  sameAsAll: (choice: string) => string;
  preferencesHint: string;
  /** Name of a thread for screen readers. */
  threadOf: (name: string) => string;
  addPin: string;
  /** Name of the area in which the user clicks to add a pin. */
  placePin: string;
  newPin: string;
  /** Name of a pin for screen readers. */
  pinOf: (number: number, name: string) => string;
  threads: string;
  threadCount: (count: number) => string;
  replies: (count: number) => string;
  noThreads: string;
  noMatches: string;
  filter: string;
  status: string;
  statusOpen: string;
  /** Filters of `Threads`. */
  filterMine: string;
  filterMentioned: string;
  filterAssigned: string;
  /** State of a thread whose text is gone. */
  detached: string;
  order: string;
  orderNewest: string;
  orderOldest: string;
  orderActivity: string;
  orderPosition: string;
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
  /** Question before a thread is deleted. */
  confirmDeleteThread: string;
  /** Note below such a question. */
  cannotBeUndone: string;
  /** Name of the field for a comment. */
  comment: string;
  /** Name of the buttons that format a text for screen readers. */
  formatting: string;
  bold: string;
  italic: string;
  bullets: string;
  numbers: string;
  code: string;
  link: string;
  linkAddress: string;
  apply: string;
  mention: string;
  /** Number of users of a group. */
  memberCount: (count: number) => string;
  /** What a user group is, beside its name. */
  group: string;
  nobodyFound: string;
  addEmoji: string;
  addReaction: string;
  searchEmojis: string;
  noEmojiFound: string;
  attach: string;
  attachments: string;
  /** Name of a file that has none. */
  attachment: string;
  dropFiles: string;
  removeFile: (name: string) => string;
  uploading: (name: string) => string;
  uploadFailed: string;
  /** Size of a file, of a number of bytes. */
  fileSize: (bytes: number) => string;
  /** Mark of a comment that its author has changed. */
  edited: string;
  moreComments: (count: number) => string;
  /** Name of the menu of a comment for screen readers. */
  commentActions: (name: string) => string;
  copyLink: string;
  /** Says who has reacted. `names` is a list in the language. */
  reactedWith: (names: string, reaction: string) => string;
  /** Shown instead of the time of a comment that the service has not stored yet. */
  sending: string;
  /** Name of the text that a thread is about for screen readers. */
  quotedText: string;
  /** Note below a quoted text that is no longer in the document. */
  quoteDetached: string;
  versions: string;
  /** Name of a version that has none. */
  automaticVersion: string;
  noVersions: string;
  restoreVersion: string;
  /** Question before a version is restored. */
  confirmRestore: (name: string) => string;
  /** Note below that question. */
  restoreNote: string;
  versionRestored: string;
  undo: string;
  nameVersion: string;
  versionName: string;
  nothingChanged: string;
  /** Name of a comparison for screen readers. */
  changesSince: string;
  /** Templates that replace those of activities and notifications, by `messageKey`. */
  messages: Readonly<Record<string, string>>;
  /** Text of an error. */
  error: (error: Error) => string;
  /** Joins names in a sentence. */
  list: (items: string[]) => string;
  /** Short text of a time, such as how long ago it was. `now` is the present time by default. */
  time: (date: Date, now?: Date) => string;
  /** Time of the day. */
  clock: (date: Date) => string;
  /** Heading of a day. */
  day: (date: Date, now?: Date) => string;
  /** Full text of a time. */
  dateTime: (date: Date) => string;
}

/** Texts of a language, with a message for each key of the service. */
export interface LanguageTexts extends Texts {
  messages: Readonly<Record<MessageKey, string>>;
}

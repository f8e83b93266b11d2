-- Notifications, inboxes, preferences, and mails.

create sequence notification_sequence;

-- The notifications of an organization.
create table notifications (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  location_id text collate "C",
  -- `actionUser.userId`, the user who acted.
  user_id text collate "C" not null,
  -- Milliseconds since the epoch. (created_at, sequence) is unique and orders every inbox.
  created_at bigint not null,
  sequence bigint not null,
  -- JSON text of the record as sent. Pages concatenate these texts.
  record json not null,
  record_bytes integer not null,
  -- Whether the notification was for all users of the organization.
  notify_all boolean,
  -- Time of writing if it differs from created_at, as in activities.
  written_at bigint,
  -- The pairs of the access context, a JSON array of `field:value`. Null if there are none.
  access_fields jsonb,
  -- What a notification of comments is about: `sequence` of each annotation, `sequence/id` of each comment.
  subjects text[] collate "C",
  primary key (organization_key, id)
);

-- Serves changes and deletions of comments. The sequence of an annotation is unique in the database.
create index notifications_subjects on notifications using gin (subjects) where subjects is not null;
create unique index notifications_sequence on notifications (organization_key, sequence);
create index notifications_feed on notifications (organization_key, created_at);
create index notifications_document on notifications (organization_key, document_id, created_at, sequence);
create index notifications_location on notifications (organization_key, document_id, location_id, created_at, sequence)
  where location_id is not null;
-- Serves the deletion of a user's data.
create index notifications_user on notifications (organization_key, user_id, created_at, sequence);

-- The recipients of notifications: one row for each recipient.
create table notification_recipients (
  organization_key uuid not null,
  -- sequence, document_id, location_id and created_at repeat the notification's values: they order and filter inboxes.
  sequence bigint not null,
  user_id text collate "C" not null,
  document_id text collate "C" not null,
  location_id text collate "C",
  created_at bigint not null,
  -- Milliseconds since the epoch.
  read_at bigint,
  -- False once the recipient has read the notification without keeping it, archived it, or deleted it from the inbox.
  in_inbox boolean not null default true,
  -- Time when the recipient archived it, in milliseconds since the epoch. Null if it is not in the archive.
  archived_at bigint,
  -- Repeats the notification's value.
  written_at bigint,
  primary key (organization_key, sequence, user_id)
);

-- Reading an inbox is a range scan of one of these indexes. Notifications that left the inbox are in none of them.
create index notification_inboxes on notification_recipients (organization_key, user_id, created_at, sequence)
  where in_inbox;
create index notification_inboxes_document
  on notification_recipients (organization_key, user_id, document_id, created_at, sequence) where in_inbox;
create index notification_inboxes_location
  on notification_recipients (organization_key, user_id, location_id, created_at, sequence)
  where in_inbox and location_id is not null;
create index notification_inboxes_document_location
  on notification_recipients (organization_key, user_id, document_id, location_id, created_at, sequence)
  where in_inbox and location_id is not null;
-- Reading an archive is a range scan of one of these indexes. Adding a notification does not write them.
create index notification_archives on notification_recipients (organization_key, user_id, created_at, sequence)
  where archived_at is not null;
create index notification_archives_document
  on notification_recipients (organization_key, user_id, document_id, created_at, sequence)
  where archived_at is not null;
create index notification_archives_location
  on notification_recipients (organization_key, user_id, location_id, created_at, sequence)
  where archived_at is not null and location_id is not null;
-- Serves the deletion of a document. Equal keys are stored once, so this index is a tenth of the size of the others.
create index notification_recipients_document on notification_recipients (organization_key, document_id, created_at);
-- Notifications that left an inbox, for the deletion of a user's data. The index notification_inboxes has those in one.
create index notification_recipients_left on notification_recipients (organization_key, user_id, created_at)
  where not in_inbox;
-- Counts what is in an inbox although it was read. The unread notifications of an inbox are all others in it, which the
-- indexes notification_inboxes count, so adding a notification does not write this index.
create index notification_inboxes_read on notification_recipients (organization_key, user_id, document_id, location_id)
  where in_inbox and read_at is not null;
-- Lists who has read a notification. Adding a notification does not write this index.
create index notification_readers on notification_recipients (organization_key, sequence, read_at, user_id)
  where read_at is not null;

-- The notification preferences of users.
create table notification_configs (
  organization_key uuid not null,
  -- Empty for the organization-level preference. No document has an empty ID.
  document_id text collate "C" not null,
  user_id text collate "C" not null,
  -- ALL, MINE or NONE. Null inherits the value of the next level.
  inbox text,
  email text,
  slack text,
  -- Milliseconds since the epoch.
  written_at bigint not null,
  -- Time when the user unsubscribed from the organization's mails, in milliseconds since the epoch. Null unless this
  -- set the email preference.
  unsubscribed_at bigint,
  -- Stores the preferences of one user for many documents next to each other.
  primary key (organization_key, user_id, document_id)
);

-- Serves the deletion of documents only. The partial condition keeps the planner from using this index to read a user's
-- preferences: without table statistics it chose this index over the primary key and read all users of the documents.
create index notification_configs_document on notification_configs (organization_key, document_id, written_at)
  where document_id <> '';

-- Notifications of comment events that wait for their delivery: one row for each event and recipient. The row is
-- deleted in the transaction that delivers or drops it. All times are milliseconds since the epoch.
create table delayed_notifications (
  organization_key uuid not null,
  -- Ordered by the time of writing.
  id uuid not null,
  -- The same for all recipients of an event.
  event_id uuid not null,
  -- Recipient.
  user_id text collate "C" not null,
  document_id text collate "C" not null,
  annotation_id text collate "C" not null,
  -- Null if the event does not concern a comment.
  comment_id bigint,
  -- The event and the recipient, without the text of the comment.
  record json not null,
  delayed_at bigint not null,
  -- End of the delay.
  ready_at bigint not null,
  -- Time of the delivery, unless a window is full before. Equals ready_at if there are no windows.
  due_at bigint not null,
  -- Whether the window that ends at due_at is that of the user. Otherwise it is that of the document.
  is_user_due boolean not null,
  -- When the delivery job looks at the row next: first at ready_at, then at due_at.
  next_at bigint not null,
  -- Number of notifications that fill the window of the document and of the user. Null without such a window.
  document_max integer,
  user_max integer,
  primary key (organization_key, id)
);

create index delayed_notifications_next on delayed_notifications (organization_key, next_at, user_id);
create index delayed_notifications_user on delayed_notifications (organization_key, user_id, next_at);
create index delayed_notifications_document on delayed_notifications (organization_key, document_id, delayed_at);

-- Queued mails. A row is deleted when the mail is sent or given up.
create table mails (
  organization_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  document_id text collate "C" not null,
  -- Recipient and email address.
  user_id text collate "C" not null,
  address text not null,
  -- User IDs of the other users in the mail: the acting user, the assignee and mentioned users.
  other_user_ids text[] collate "C" not null,
  -- Values for the template.
  record json not null,
  -- Milliseconds since the epoch.
  created_at bigint not null,
  -- Time when a process took the mail to send it. Null while the mail waits.
  taken_at bigint,
  -- IDs of the annotations that the mail is about.
  annotation_ids text[] collate "C" not null default '{}',
  primary key (organization_key, id)
);

create index mails_document on mails (organization_key, document_id, created_at);
create index mails_user on mails (organization_key, user_id);

-- The delivery log: what became of each mail. A row has no text of its mail, which is only in the queue.
create table mail_deliveries (
  organization_key uuid not null,
  -- ID of the mail, ordered by the time of queueing.
  id uuid not null,
  workspace_id uuid not null,
  document_id text collate "C" not null,
  annotation_ids text[] collate "C" not null,
  -- Recipient and email address.
  user_id text collate "C" not null,
  address text not null,
  -- Types of the events that the mail is about.
  triggers text[] collate "C" not null,
  -- `queued`, `deferred`, or how it ended: `sent`, `rejected`, `uncertain`, `expired` or `canceled`.
  state text collate "C" not null,
  -- The mail server's response, or why the mail was not sent. Null if there is nothing to say.
  reason text,
  -- Number of attempts that have ended.
  attempts integer not null,
  -- Milliseconds since the epoch: when the mail was queued, and when its state was last written.
  created_at bigint not null,
  updated_at bigint not null,
  primary key (organization_key, id)
);

create index mail_deliveries_document on mail_deliveries (organization_key, document_id, created_at);
create index mail_deliveries_user on mail_deliveries (organization_key, user_id, created_at);
create index mail_deliveries_workspace on mail_deliveries (workspace_id, id);
create index mail_deliveries_state on mail_deliveries (workspace_id, state, id);
-- Serves the deletion of old rows.
create index mail_deliveries_created_at on mail_deliveries (created_at);

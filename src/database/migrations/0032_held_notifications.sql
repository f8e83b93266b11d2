-- Notifications of comment events that wait for their delivery: one row for each event and recipient. The row is
-- deleted in the transaction that delivers or drops it. All times are milliseconds since the epoch.
create table held_notifications (
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
  held_at bigint not null,
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

create index held_notifications_next on held_notifications (organization_key, next_at, user_id);
create index held_notifications_user on held_notifications (organization_key, user_id, next_at);
create index held_notifications_document on held_notifications (organization_key, document_id, held_at);

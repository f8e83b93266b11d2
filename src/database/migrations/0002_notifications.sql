create sequence notification_sequence;

create table notifications (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  location_id text collate "C",
  -- `actionUser.userId`: who did what it tells of.
  user_id text collate "C" not null,
  -- Milliseconds since the epoch; with the sequence it is the order of every list, and unique.
  created_at bigint not null,
  sequence bigint not null,
  -- The text that is sent, "timestamp" first: a page is a concatenation of these.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, id)
);

create unique index notifications_sequence on notifications (organization_key, sequence);
create index notifications_document on notifications (organization_key, document_id, created_at, sequence);
create index notifications_location on notifications (organization_key, document_id, location_id, created_at, sequence)
  where location_id is not null;

-- A row for each user that a notification has reached.
create table notification_recipients (
  organization_key uuid not null,
  -- Of the notification, as are its document, location and time: they are the order and the filters of the list.
  sequence bigint not null,
  user_id text collate "C" not null,
  document_id text collate "C" not null,
  location_id text collate "C",
  created_at bigint not null,
  -- Milliseconds since the epoch.
  read_at bigint,
  -- False once it has been read without being kept, or deleted from the list.
  in_list boolean not null default true,
  primary key (organization_key, sequence, user_id)
);

-- A list is one range of one of these, and what has left it is in none of them.
create index notification_lists on notification_recipients (organization_key, user_id, created_at, sequence)
  where in_list;
create index notification_lists_document
  on notification_recipients (organization_key, user_id, document_id, created_at, sequence) where in_list;
create index notification_lists_location
  on notification_recipients (organization_key, user_id, location_id, created_at, sequence)
  where in_list and location_id is not null;
create index notification_lists_document_location
  on notification_recipients (organization_key, user_id, document_id, location_id, created_at, sequence)
  where in_list and location_id is not null;
-- For the deletion of a document. Equal keys are stored once, so it is a tenth of the size of the others.
create index notification_recipients_document on notification_recipients (organization_key, document_id, created_at);

create table notification_configs (
  organization_key uuid not null,
  -- Empty, which no document's id is, for the organization's level.
  document_id text collate "C" not null,
  user_id text collate "C" not null,
  -- ALL, MINE or NONE; where it is null, the next level decides.
  inbox text,
  email text,
  slack text,
  -- Milliseconds since the epoch.
  written_at bigint not null,
  -- The preferences of a user for many documents stand side by side.
  primary key (organization_key, user_id, document_id)
);

-- For the deletion of a document.
create index notification_configs_document on notification_configs (organization_key, document_id);

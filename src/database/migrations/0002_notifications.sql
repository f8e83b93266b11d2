create sequence notification_sequence;

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
  -- JSON text of the record as the API returns it, until 0017 with "timestamp" first. Pages concatenate these texts.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, id)
);

create unique index notifications_sequence on notifications (organization_key, sequence);
create index notifications_document on notifications (organization_key, document_id, created_at, sequence);
create index notifications_location on notifications (organization_key, document_id, location_id, created_at, sequence)
  where location_id is not null;

-- One row per recipient of a notification.
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
  -- False once the recipient has read the notification without keeping it, or has deleted it from the inbox.
  in_list boolean not null default true,
  primary key (organization_key, sequence, user_id)
);

-- Reading an inbox is a range scan of one of these indexes. Notifications that left the inbox are in none of them.
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
-- Serves the deletion of a document. Equal keys are stored once, so this index is a tenth of the size of the others.
create index notification_recipients_document on notification_recipients (organization_key, document_id, created_at);

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
  -- Stores the preferences of one user for many documents next to each other.
  primary key (organization_key, user_id, document_id)
);

-- Serves the deletion of a document.
create index notification_configs_document on notification_configs (organization_key, document_id);

-- Messages to webhooks: one for each event and webhook that gets it. They hold IDs, and the answers of receivers. All
-- times are milliseconds since the epoch.
create table webhook_messages (
  organization_key uuid not null,
  -- The `webhook-id` of the message, ordered by the time of writing.
  id uuid not null,
  workspace_id uuid not null,
  -- Who gets it: the ID of an endpoint, or `raw` or `processed` with the ID of the workspace.
  target text collate "C" not null,
  document_id text collate "C",
  -- Position of the event in the log of the organization.
  position bigint not null,
  -- What has happened, without the ID of the document.
  event json not null,
  created_at bigint not null,
  -- Time of the next attempt. Null if none follows.
  next_at bigint,
  -- `pending`, `delivered`, `failed`, or `withdrawn` if the webhook was disabled first.
  status text not null,
  -- Number of failed attempts since the message was written or sent again.
  failures integer not null,
  -- The last attempts, oldest first, with the beginning of each answer.
  attempts json not null,
  primary key (organization_key, id)
);
create index webhook_messages_next on webhook_messages (target, next_at, position) where next_at is not null;
create index webhook_messages_target on webhook_messages (target, created_at);
create index webhook_messages_document on webhook_messages (organization_key, document_id, created_at);

-- The last position in the event log of each organization of which messages were written.
create table webhook_dispatches (
  organization_key uuid primary key,
  position bigint not null
) with (fillfactor = 50);

-- The process that sends the messages of a target. Another one takes over when the lease has ended.
create table webhook_leases (
  target text collate "C" primary key,
  holder uuid not null,
  ends_at bigint not null
);

alter table webhook_configs
  -- Times since which each kind is enabled: it gets no earlier events.
  add column basic_since bigint not null default 0,
  add column advanced_since bigint not null default 0;

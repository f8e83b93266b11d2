-- The event log, and webhooks, which send it.

-- The last position in the event log of each organization. A transaction locks the row right before its commit, so that
-- positions are given in the order of commits and no reader skips one.
create table event_positions (
  organization_key uuid primary key,
  position bigint not null,
  -- The last position whose event was deleted because of its age. Readers from before it have missed events.
  expired_until bigint not null default 0
) with (fillfactor = 50);

-- The event log. An event names what has changed, and readers read the records: they stay where they are purged, and
-- nobody gets more than the record shows them.
create table events (
  organization_key uuid not null,
  position bigint not null,
  created_at bigint not null,
  kind text collate "C" not null,
  -- Null if the event is about the organization.
  document_id text collate "C",
  -- Who gets it: `document` (whoever may read the document), `organization` (of these, whoever has a permission on the
  -- organization), `user` (only `user_id`), or `backend` (no user). Backends get all but `user`.
  audience text not null,
  -- The user who gets it if the audience is `user`. Otherwise the acting user, if known.
  user_id text collate "C",
  -- Pairs of the access context of a deleted record, as in comment_annotations.
  access_fields jsonb,
  -- IDs of what has changed.
  subject json not null,
  -- What webhooks tell besides the records, such as the status before a change: no content of comments. Null if there
  -- is nothing.
  details json,
  primary key (organization_key, position)
);

create index events_document on events (organization_key, document_id, position);
create index events_created_at on events (created_at);
-- Serves the deletion of a user's data, which may be named in these texts.
create index events_texts on events (organization_key, position)
  where details is not null or access_fields is not null;
create index events_user on events (organization_key, user_id, created_at) where user_id is not null;

-- The webhook settings of a workspace.
create table webhook_configs (
  workspace_id uuid primary key references workspaces,
  -- Settings of basic webhooks except the auth token.
  basic json not null default '{}',
  -- Auth token of basic webhooks, encrypted under SECRET_KEY and bound to the workspace. Null if none is set.
  auth_token bytea,
  -- Settings of advanced webhooks. Null before their first update.
  advanced json,
  -- Times since which each kind is enabled: it gets no earlier events.
  basic_since bigint not null default 0,
  advanced_since bigint not null default 0
);

-- Endpoints of advanced webhooks. They belong to a workspace.
create table webhook_endpoints (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- The caller's own ID. Null if it has none.
  uid text collate "C",
  -- The URL, the filters, the rate limit, the description and the metadata.
  settings json not null,
  disabled boolean not null,
  -- Secrets that sign messages, encrypted under SECRET_KEY and bound to the endpoint. The previous one is valid until
  -- `previous_until`, in milliseconds since the epoch.
  secret bytea not null,
  previous_secret bytea,
  previous_until bigint,
  -- Time since which the endpoint is enabled, in milliseconds since the epoch: it gets no earlier events.
  active_since bigint not null,
  -- Time since which every attempt has failed. Null if the last one succeeded.
  failing_since bigint,
  created_at bigint not null,
  updated_at bigint not null,
  -- Time of the last failed attempt, at most an hour earlier than it was. Failures are counted from the beginning after
  -- a long break. Null if no attempt has failed.
  last_failed_at bigint
);

create unique index webhook_endpoints_uid on webhook_endpoints (workspace_id, uid) where uid is not null;
create index webhook_endpoints_workspace on webhook_endpoints (workspace_id, id);

-- Messages to webhooks: one for each event and webhook that gets it. They hold IDs, and the responses of receivers. All
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
  -- `pending`, `delivered`, `failed`, or `canceled` if the webhook was disabled first.
  status text not null,
  -- Number of failed attempts since the message was written or sent again.
  failures integer not null,
  -- The last attempts, oldest first, with the beginning of each response.
  attempts json not null,
  primary key (organization_key, id)
);

create index webhook_messages_next on webhook_messages (target, next_at, position) where next_at is not null;
create index webhook_messages_target on webhook_messages (target, created_at);
create index webhook_messages_document on webhook_messages (organization_key, document_id, created_at);
-- Serves the deletion of old messages.
create index webhook_messages_created_at on webhook_messages (created_at);

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

-- Presence of users in documents, and the live state of documents.

-- The users in a document.
--
-- The table is logged although losing presence in a crash would be acceptable: an unlogged table is empty on every
-- replica, and was measured no faster with batched heartbeats (13,500 per second against 12,900).
create table presence (
  organization_key uuid not null,
  document_id text collate "C" not null,
  user_id text collate "C" not null,
  -- JSON strings. Null if the caller did not send them.
  name json,
  email json,
  status text not null,
  -- Milliseconds since the epoch. No index contains this column and 30 percent of each page stays free, so that every
  -- heartbeat is a heap-only (HOT) update. Measured with 10,000 users on one document: all heartbeats were HOT updates.
  last_active bigint not null,
  -- Changes once an hour, so indexing it is cheap.
  active_hour integer not null generated always as (last_active / 3600000) stored,
  -- Whether the last heartbeat changed what readers see of the user, other than its time.
  is_changed boolean not null default true,
  -- Time of the last heartbeat of a backend, in milliseconds since the epoch. It counts for 10 minutes even if the
  -- connections of the user have closed. Null if only the user has sent heartbeats or connected.
  heartbeat_at bigint,
  primary key (organization_key, document_id, user_id)
) with (fillfactor = 70);

create index presence_expiry on presence (active_hour);
-- Serves the deletion of a user's data.
create index presence_user on presence (organization_key, user_id);

-- Users with an open event stream or collaborative document in a document, by the process that has them. They are
-- online.
create table presence_connections (
  organization_key uuid not null,
  document_id text collate "C" not null,
  user_id text collate "C" not null,
  process_id uuid not null,
  -- Milliseconds since the epoch.
  connected_at bigint not null,
  primary key (organization_key, document_id, user_id, process_id)
);

create index presence_connections_process on presence_connections (process_id);

-- Leases of the processes that have connections. Other processes watch whether the number grows, each by its own clock.
create table presence_processes (
  process_id uuid primary key,
  beat bigint not null,
  -- Set by the process that saw no growth for some seconds. The process must then take another ID.
  is_dead boolean not null default false
) with (fillfactor = 50);

-- Values that the clients in a document share, such as the step of a guided tour. Each is kept until it is replaced.
create table live_states (
  organization_key uuid not null,
  document_id text collate "C" not null,
  live_state_id text collate "C" not null,
  -- JSON text of the object as sent, or as merged from what was sent.
  record json not null,
  record_bytes integer not null,
  -- Time of the last write. Milliseconds since the epoch.
  updated_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  primary key (organization_key, document_id, live_state_id)
);

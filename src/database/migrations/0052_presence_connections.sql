alter table presence
  -- Time of the last heartbeat of a backend, in milliseconds since the epoch. It counts for 10 minutes even if the
  -- connections of the user have closed. Null if only the user has sent heartbeats or connected.
  add column heartbeat_at bigint;

-- Users with an open event stream or editor in a document, by the process that has them. They are online.
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

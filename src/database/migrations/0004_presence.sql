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
  primary key (organization_key, document_id, user_id)
) with (fillfactor = 70);

create index presence_expiry on presence (active_hour);

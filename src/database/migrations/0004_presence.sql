-- Logged, although a crash may lose presence: an unlogged table is empty on every replica, and with the commits that
-- heartbeats share it was measured no faster (13,500 a second against 12,900).
create table presence (
  organization_key uuid not null,
  document_id text collate "C" not null,
  user_id text collate "C" not null,
  -- The JSON texts of two strings, where they were said.
  name json,
  email json,
  status text not null,
  -- Milliseconds since the epoch. In no index, and a third of each page is left free: a heartbeat rewrites its row
  -- within the page, without touching an index (measured: all of them, at 10,000 users on a document).
  last_active bigint not null,
  -- Changes so seldom that it may be in an index.
  active_hour integer not null generated always as (last_active / 3600000) stored,
  primary key (organization_key, document_id, user_id)
) with (fillfactor = 70);

create index presence_expiry on presence (active_hour);

-- Administrative acts of a workspace. The acts of the operator's own sessions belong to none and have the nil UUID. A
-- table of the workspace level: on Citus it stays local to the coordinator.
create table audit_entries (
  sequence bigint generated always as identity primary key,
  workspace_id uuid not null,
  -- Milliseconds since the epoch.
  created_at bigint not null,
  action text collate "C" not null,
  -- JSON text of the entry as the API returns it.
  record json not null,
  record_bytes integer not null
);

create index on audit_entries (workspace_id, sequence);
create index on audit_entries (created_at);

-- The latest requests of backends and users to a workspace, without bodies and secrets. A row has the requests of one
-- process and second, so that a request costs no row. On Citus the table stays local to the coordinator.
create table request_log (
  sequence bigint generated always as identity primary key,
  workspace_id uuid not null,
  count integer not null,
  -- JSON array of the requests as the API returns them, in the order of their answers.
  requests json not null
);

create index on request_log (workspace_id, sequence);

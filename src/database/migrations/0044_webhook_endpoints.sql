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
  updated_at bigint not null
);
create unique index webhook_endpoints_uid on webhook_endpoints (workspace_id, uid) where uid is not null;
create index webhook_endpoints_workspace on webhook_endpoints (workspace_id, id);

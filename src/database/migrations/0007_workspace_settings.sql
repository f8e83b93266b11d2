alter table workspaces
  add column activities_immutable boolean not null default false,
  -- Time when the activity service was last turned on.
  add column activity_service_enabled_at timestamptz,
  add column activity_triggers json not null default '{}';

update workspaces set activity_service_enabled_at = created_at where activity_service_enabled;

create table email_configs (
  workspace_id uuid primary key references workspaces,
  -- All settings except the provider key.
  settings json not null,
  -- Provider key, encrypted under SECRET_KEY and bound to the workspace. Null if none is set.
  api_key bytea
);

create table allowed_domains (
  workspace_id uuid not null references workspaces,
  -- A host in lower case and punycode, optionally prefixed with `*.`.
  domain text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, domain)
);

-- Serves preflight requests, which name no workspace.
create index on allowed_domains (domain, workspace_id);

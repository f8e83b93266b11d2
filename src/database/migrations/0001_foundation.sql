-- Workspace-level tables are small. On Citus they become reference tables.
create table workspaces (
  id uuid primary key,
  name text not null,
  owner_email text,
  api_key text not null,
  api_key_hash bytea not null unique,
  activity_service_enabled boolean not null default false,
  created_at timestamptz not null default now()
);

create table auth_tokens (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);

create index on auth_tokens (workspace_id);

-- organization_key is the first 16 bytes of SHA-256 over workspace id, U+0000, organization id. Rows of two workspaces
-- never share a key. The key is the first column of every primary key below, and the distribution column on Citus.
create table organizations (
  organization_key uuid primary key,
  workspace_id uuid not null,
  organization_id text collate "C" not null,
  disabled boolean not null default false,
  -- Set while a job purges the organization. The job deletes this row last.
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);

create index on organizations (workspace_id, organization_id);

create table documents (
  organization_key uuid not null,
  document_id text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization_key, document_id)
);

create sequence activity_sequence;

create table activities (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  target_entity_id text collate "C",
  user_id text collate "C" not null,
  feature_type text collate "C" not null,
  action_type text collate "C" not null,
  -- Milliseconds since the epoch. (created_at, sequence) is unique and orders the feed.
  created_at bigint not null,
  sequence bigint not null,
  -- JSON text of the record as the API returns it, until 0017 with "timestamp" first. Pages concatenate these texts.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, id)
);

create index activities_feed on activities (organization_key, created_at, sequence);
create index activities_document on activities (organization_key, document_id, created_at, sequence);
create index activities_target on activities (organization_key, target_entity_id, created_at, sequence)
  where target_entity_id is not null;
create index activities_user on activities (organization_key, user_id, created_at, sequence);
create index activities_feature on activities (organization_key, feature_type, created_at, sequence);
create index activities_action on activities (organization_key, action_type, created_at, sequence);

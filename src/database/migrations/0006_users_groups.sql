-- The text that is sent, but for what changes by itself: "disabled", and "lastActivity" of a document.
-- Null until somebody describes the organization or document.
alter table organizations add column record json, add column record_bytes integer not null default 0;
alter table documents add column record json, add column record_bytes integer not null default 0;

create table users (
  organization_key uuid not null,
  user_id text collate "C" not null,
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, user_id)
);

-- Which users belong to a document.
create table document_users (
  organization_key uuid not null,
  document_id text collate "C" not null,
  user_id text collate "C" not null,
  -- Of the latest call that said so; milliseconds since the epoch.
  written_at bigint not null,
  primary key (organization_key, document_id, user_id)
);

create index document_users_user on document_users (organization_key, user_id);

create table user_groups (
  organization_key uuid not null,
  group_id text collate "C" not null,
  -- Without "userIds", which are the rows below.
  record json not null,
  primary key (organization_key, group_id)
);

create table user_group_members (
  organization_key uuid not null,
  group_id text collate "C" not null,
  user_id text collate "C" not null,
  primary key (organization_key, group_id, user_id)
);

create index user_group_members_user on user_group_members (organization_key, user_id);

-- What a job has still to delete: everything of the document that was written up to erased_at.
create table document_erasures (
  organization_key uuid not null,
  document_id text collate "C" not null,
  -- Milliseconds since the epoch.
  erased_at bigint not null,
  primary key (organization_key, document_id)
);

-- JSON text of the record as the API returns it, except computed fields ("disabled", and "lastActivity" of a document).
-- Null until a caller adds or updates the organization or document.
alter table organizations add column record json, add column record_bytes integer not null default 0;
alter table documents add column record json, add column record_bytes integer not null default 0;

create table users (
  organization_key uuid not null,
  user_id text collate "C" not null,
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, user_id)
);

-- Users that belong to a document.
create table document_users (
  organization_key uuid not null,
  document_id text collate "C" not null,
  user_id text collate "C" not null,
  -- Time of the latest call that added the user. Milliseconds since the epoch.
  written_at bigint not null,
  primary key (organization_key, document_id, user_id)
);

create index document_users_user on document_users (organization_key, user_id);

create table user_groups (
  organization_key uuid not null,
  group_id text collate "C" not null,
  -- Excludes "userIds", which are the rows of user_group_members.
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

-- Pending purges of documents: a job deletes everything in the document that was written up to erased_at.
create table document_erasures (
  organization_key uuid not null,
  document_id text collate "C" not null,
  -- Milliseconds since the epoch.
  erased_at bigint not null,
  primary key (organization_key, document_id)
);

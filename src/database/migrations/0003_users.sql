-- Users, user groups, and the deletion of users' data.

-- The users of an organization. What they may do is in grants.
create table users (
  organization_key uuid not null,
  user_id text collate "C" not null,
  -- JSON text of the record as the API returns it, except the role.
  record json not null,
  record_bytes integer not null,
  written_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  -- Email address in the record, in lower case, for the search by address. JSON escapes that the type text cannot store
  -- are removed first, as in search_text, and white space around it last. Truncated to the length of an address.
  email text collate "C" generated always as (
    left(lower(btrim(
      regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'email' collate "C",
      E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
        || E'\u2028\u2029\u202f\u205f\u3000\ufeff'
    )), 255)
  ) stored,
  -- Name in the record, as organizations.name.
  name text collate "C" generated always as (search_text(record, 'name')) stored,
  -- Addresses of earlier records, as in email, for the deletion of the user's data. May contain the present one.
  former_emails text[] collate "C" not null default '{}',
  -- First letter of the name. Null if the record has an initial of its own.
  initial text collate "C" generated always as (
    case when regexp_replace(
        record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'initial' is null
      then nullif(left(regexp_replace(
        record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'name', 1), '')
    end
  ) stored,
  primary key (organization_key, user_id)
);

create index users_email on users (organization_key, email);

-- The user groups of an organization.
create table user_groups (
  organization_key uuid not null,
  group_id text collate "C" not null,
  -- Excludes "userIds", which are the rows of user_group_members.
  record json not null,
  primary key (organization_key, group_id)
);

-- The users of each user group.
create table user_group_members (
  organization_key uuid not null,
  group_id text collate "C" not null,
  user_id text collate "C" not null,
  written_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  primary key (organization_key, group_id, user_id)
);

create index user_group_members_user on user_group_members (organization_key, user_id);

-- Deletions of users' data. The email addresses are cleared when the deletion is done. The user IDs and who asked stay
-- until AUDIT_RETENTION_DAYS have passed, so that a receipt can say whose data were deleted.
-- The table belongs to the workspaces, and is a reference table on Citus.
create table user_data_deletions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  user_ids text[] collate "C" not null,
  -- Null means all organizations of the workspace.
  organization_ids text[] collate "C",
  -- JSON array of the email addresses found in the users' own records.
  addresses json not null default '[]',
  -- All times are milliseconds since the epoch. Data written after accepted_at is not deleted.
  accepted_at bigint not null,
  -- The transaction of the acceptance, as document_purges.deleted_in.
  accepted_in xid8,
  tasks_count integer not null,
  tasks_done integer not null default 0,
  last_task_completed_at bigint,
  -- `finding` (collecting addresses), `purging` or `done`
  stage text collate "C" not null default 'finding',
  -- Last organization ID that the stage has finished. Organizations are processed in ID order.
  position text collate "C" not null default '',
  -- `{ type, id, name }` of the auth token or session that asked
  requested_by json,
  -- Kinds of data that the deletion searches
  kinds text[] collate "C" not null default '{}'
);

create index on user_data_deletions (workspace_id, accepted_at, id);
create index on user_data_deletions using gin (user_ids);
create index on user_data_deletions (workspace_id) where stage <> 'done';

-- Receipts of deletions: one row per organization and kind of data with the number of purged and redacted records.
create table user_data_receipts (
  deletion_id uuid not null references user_data_deletions,
  organization_id text collate "C" not null,
  kind text collate "C" not null,
  deleted bigint not null,
  stripped bigint not null,
  primary key (deletion_id, organization_id, kind)
);

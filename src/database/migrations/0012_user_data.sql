-- Deletions of users' data. The user IDs are cleared when the deletion is done, so nothing of the users remains here.
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
  tasks_count integer not null,
  tasks_done integer not null default 0,
  last_task_completed_at bigint,
  -- `finding` (collecting addresses), `erasing` or `done`
  stage text collate "C" not null default 'finding',
  -- Last organization ID that the stage has finished. Organizations are processed in ID order.
  position text collate "C" not null default ''
);

create index on user_data_deletions (workspace_id) where stage <> 'done';

-- Receipts of deletions: one row per organization and kind of data in which records were deleted or stripped.
create table user_data_receipts (
  deletion_id uuid not null references user_data_deletions,
  organization_id text collate "C" not null,
  kind text collate "C" not null,
  deleted bigint not null,
  stripped bigint not null,
  primary key (deletion_id, organization_id, kind)
);

alter table users
  add column written_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint;
alter table user_group_members
  add column written_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint;

create index notifications_user on notifications (organization_key, user_id, created_at, sequence);
-- Notifications that left an inbox. The index notification_lists has those that are in one.
create index notification_recipients_left on notification_recipients (organization_key, user_id, created_at)
  where not in_list;
create index recordings_user on recordings (organization_key, user_id, created_at, sequence)
  where user_id is not null;
create index presence_user on presence (organization_key, user_id);

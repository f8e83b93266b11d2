-- What a job has still to delete of people. Nothing of them stays in it: the ids go with the last of their data.
create table user_data_deletions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  user_ids text[] collate "C" not null,
  -- Null for all organizations of the workspace.
  organization_ids text[] collate "C",
  -- The JSON text of a list: the e-mail addresses that the users' own records name.
  addresses json not null default '[]',
  -- Milliseconds since the epoch, as are all times here. What is written later stays.
  accepted_at bigint not null,
  tasks_count integer not null,
  tasks_done integer not null default 0,
  last_task_completed_at bigint,
  -- finding (of addresses), erasing or done
  stage text collate "C" not null default 'finding',
  -- The organization that the stage is through with; they come in the order of their ids.
  position text collate "C" not null default ''
);

create index on user_data_deletions (workspace_id) where stage <> 'done';

-- What was done; a row where there was something to do.
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
-- What has left a list; what is in it has notification_lists.
create index notification_recipients_left on notification_recipients (organization_key, user_id, created_at)
  where not in_list;
create index recordings_user on recordings (organization_key, user_id, created_at, sequence)
  where user_id is not null;
create index presence_user on presence (organization_key, user_id);

-- One row per queued mail. The row is deleted when the mail is sent or given up.
create table mails (
  organization_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  document_id text collate "C" not null,
  -- Recipient and email address.
  user_id text collate "C" not null,
  address text not null,
  -- User IDs of the other users in the mail: the acting user, the assignee and mentioned users.
  people text[] collate "C" not null,
  -- Values for the template.
  record json not null,
  -- Milliseconds since the epoch.
  created_at bigint not null,
  -- Time when a process took the mail to send it. Null while the mail waits.
  taken_at bigint,
  primary key (organization_key, id)
);

create index mails_document on mails (organization_key, document_id, created_at);
create index mails_user on mails (organization_key, user_id);

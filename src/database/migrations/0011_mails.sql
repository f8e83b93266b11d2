-- A row for each mail on its way; it goes when the mail has been sent or given up.
create table mails (
  organization_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  document_id text collate "C" not null,
  -- To whom, and where to.
  user_id text collate "C" not null,
  address text not null,
  -- The other users that it speaks of: who acted, who is assigned or mentioned.
  people text[] collate "C" not null,
  -- What the template needs.
  record json not null,
  -- Milliseconds since the epoch.
  created_at bigint not null,
  -- Since when a process is sending it; null while it waits.
  taken_at bigint,
  primary key (organization_key, id)
);

create index mails_document on mails (organization_key, document_id, created_at);
create index mails_user on mails (organization_key, user_id);

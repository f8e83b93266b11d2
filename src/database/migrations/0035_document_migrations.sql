-- Migrations of documents: each moves all data of a document to another ID. Its job disables both documents meanwhile.
create table document_migrations (
  organization_key uuid not null,
  id text collate "C" not null,
  from_document_id text collate "C" not null,
  to_document_id text collate "C" not null,
  -- `pending`, `in_progress`, `completed` or `failed`
  status text collate "C" not null default 'pending',
  -- Why it failed. Null otherwise.
  failure text,
  -- Whether the document was disabled before, as it is again afterwards.
  was_disabled boolean not null,
  -- Milliseconds since the epoch. Null until the migration is completed or failed; the row is deleted 30 days later.
  ended_at bigint,
  primary key (organization_key, id)
);

create index document_migrations_ended on document_migrations (ended_at) where ended_at is not null;

-- The migration that moves the data of the document, or to it. The document is then disabled.
alter table documents add column migration_id text collate "C";

-- Editors whose change is not an event yet: an event reports all changes of a few seconds. A row is added with the
-- first of them, and deleted with the event.
create table crdt_unreported (
  organization_key uuid not null,
  document_id text collate "C" not null,
  editor_id text collate "C" not null,
  -- Milliseconds since the epoch.
  since bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  primary key (organization_key, document_id, editor_id)
);
create index crdt_unreported_since on crdt_unreported (since);

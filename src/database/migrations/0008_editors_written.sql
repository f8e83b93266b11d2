-- Milliseconds since the epoch. When a document is deleted, editors that came after it stay; the latest write to a
-- document may be one to an editor.
alter table crdt_editors
  add column created_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  add column updated_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint;

-- Milliseconds since the epoch. created_at keeps editors that were added after their document was deleted; updated_at
-- counts for the lastActivity of the document.
alter table crdt_editors
  add column created_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  add column updated_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint;

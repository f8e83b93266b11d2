-- Deleted annotations that were not public. What was written about their comments stays hidden from all users.
create table private_annotation_tombstones (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  -- Milliseconds since the epoch.
  deleted_at bigint not null,
  primary key (organization_key, id)
);
create index private_annotation_tombstones_document
  on private_annotation_tombstones (organization_key, document_id, deleted_at);

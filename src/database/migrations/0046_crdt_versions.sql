-- Named versions of the Yjs documents of editors. Rows are only added and deleted.
create table crdt_versions (
  organization_key uuid not null,
  document_id text collate "C" not null,
  editor_id text collate "C" not null,
  id text collate "C" not null,
  -- client_id of the editor. It tells versions of a deleted editor from those of a later one with the same ID.
  client_id bigint not null,
  name text not null,
  -- The whole document as a Yjs update of format 1.
  state bytea not null,
  -- Content, type and content key, as they are answered.
  record json not null,
  -- Milliseconds since the epoch. Unique among the versions of an editor, which are listed by it.
  created_at bigint not null,
  primary key (organization_key, document_id, editor_id, id)
);

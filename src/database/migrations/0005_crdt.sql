create table crdt_editors (
  organization_key uuid not null,
  document_id text collate "C" not null,
  editor_id text collate "C" not null,
  type text not null,
  content_key text not null,
  -- Grows by one with each update: one that started from an older state finds out, and starts again.
  version bigint not null default 1,
  -- Who the service is among those who write the Yjs document: always the same one, as Yjs merges what one wrote in a
  -- row (measured: 36 bytes after 10,000 updates of a key, 228,118 with another one each time).
  client_id bigint not null,
  -- The whole Yjs document, as one update of its format 1.
  state bytea not null,
  -- The text that is sent, read from that document and written with it.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, document_id, editor_id)
);

create table crdt_editors (
  organization_key uuid not null,
  document_id text collate "C" not null,
  editor_id text collate "C" not null,
  type text not null,
  content_key text not null,
  -- Incremented by each update, for optimistic locking: an update that read an older version retries.
  version bigint not null default 1,
  -- Yjs client ID of the service in this document. It never changes, because Yjs merges consecutive changes of one
  -- client. Measured after 10,000 updates of a key: 36 bytes with one client ID, 228,118 with a new one each time.
  client_id bigint not null,
  -- The whole Yjs document as one update in format 1.
  state bytea not null,
  -- JSON text of the record as the API returns it. It is derived from the Yjs document and written together with it.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, document_id, editor_id)
);

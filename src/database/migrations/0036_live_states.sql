-- Values that the pages of a document share, such as the step of a guided tour. Each is kept until it is replaced.
create table live_states (
  organization_key uuid not null,
  document_id text collate "C" not null,
  live_state_id text collate "C" not null,
  -- JSON text of the object as sent, or as merged from what was sent.
  record json not null,
  record_bytes integer not null,
  -- Time of the last write. Milliseconds since the epoch.
  updated_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  primary key (organization_key, document_id, live_state_id)
);

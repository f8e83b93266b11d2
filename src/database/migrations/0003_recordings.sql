create sequence recording_sequence;

create table recordings (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  -- `from.userId`: who made it, where that was said.
  user_id text collate "C",
  -- Milliseconds since the epoch; with the sequence it is the order of the pages, and unique.
  created_at bigint not null,
  sequence bigint not null,
  latest_version integer not null,
  -- The text that is sent, "latestVersion" first: a page is a concatenation of these.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, id)
);

create index recordings_feed on recordings (organization_key, created_at, sequence);
create index recordings_document on recordings (organization_key, document_id, created_at, sequence);

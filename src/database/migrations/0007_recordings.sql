-- Recordings.

create sequence recording_sequence;

-- The recordings of an organization.
create table recordings (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  -- `from.userId`, the user who made the recording. Null if the caller did not name one.
  user_id text collate "C",
  -- Milliseconds since the epoch. (created_at, sequence) is unique and orders the pages.
  created_at bigint not null,
  sequence bigint not null,
  latest_version integer not null,
  -- JSON text of the record as sent. A page is a concatenation of these texts.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, id)
);

create index recordings_feed on recordings (organization_key, created_at, sequence);
create index recordings_document on recordings (organization_key, document_id, created_at, sequence);
-- Serves the deletion of a user's data.
create index recordings_user on recordings (organization_key, user_id, created_at, sequence)
  where user_id is not null;

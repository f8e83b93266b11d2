-- Files that callers upload. The bytes are in the file store, under the organization's key and the file's ID.

-- The files of an organization. A row is deleted only once its bytes are, so that no bytes are forgotten.
create table files (
  organization_key uuid not null,
  id text collate "C" not null,
  -- The user who uploads it. Null for a backend.
  user_id text collate "C",
  name text not null,
  content_type text not null,
  size bigint not null,
  -- SHA-256 in hexadecimal digits. Null until the upload if the caller did not name it.
  checksum text collate "C",
  -- All times are milliseconds since the epoch. The upload is complete from uploaded_at on.
  created_at bigint not null,
  uploaded_at bigint,
  -- The record that names the file: a comment, a recording or a user. All are null until one does. The file is deleted
  -- when that record is, or no longer has the file's ID in its text.
  annotation_sequence bigint,
  comment_id bigint,
  recording_id text collate "C",
  photo_user_id text collate "C",
  -- Time from which no record can name it. Its bytes are about to be deleted.
  removed_at bigint,
  primary key (organization_key, id)
);

create index files_user on files (organization_key, user_id, id) where user_id is not null;
-- Finds the files whose bytes are to be deleted.
create index files_removed on files (organization_key, id) where removed_at is not null;

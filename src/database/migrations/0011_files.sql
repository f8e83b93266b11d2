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
  -- The comment that names the file. A file is named by one record, and deleted with it.
  annotation_sequence bigint,
  comment_id bigint,
  -- Time from which no record can name it. Its bytes are about to be deleted.
  removed_at bigint,
  primary key (organization_key, id)
);

create index files_user on files (organization_key, user_id, created_at) where user_id is not null;
-- Finds the files that a comment no longer names.
create index files_comment on files (organization_key, annotation_sequence, comment_id)
  where annotation_sequence is not null;
-- Finds the files that no record names.
create index files_unnamed on files (organization_key, created_at) where annotation_sequence is null;

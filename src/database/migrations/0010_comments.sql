-- Of annotations: with the time of creation it is their order. Of comments: the order in their annotation, and how far
-- somebody has read.
create sequence comment_sequence;

create table comment_annotations (
  organization_key uuid not null,
  id text collate "C" not null,
  sequence bigint not null,
  document_id text collate "C" not null,
  location_id text collate "C",
  status_id text collate "C" not null,
  -- `from.userId`: who has started it.
  user_id text collate "C" not null,
  -- All times are milliseconds since the epoch. created_at may have been given, but is never in the future;
  -- written_at is when the row was made.
  created_at bigint not null,
  updated_at bigint not null,
  written_at bigint not null,
  -- The largest that any comment has had, deleted ones included: the next one is larger.
  last_comment_id bigint not null default 0,
  -- The sequence of the newest comment; 0 without one.
  latest_comment bigint not null default 0,
  -- The text that is sent, but for the times and the comments, which come in front when it is read.
  record json not null,
  -- Of that text and of its comments.
  record_bytes integer not null,
  primary key (organization_key, id)
);

create unique index comment_annotations_sequence on comment_annotations (organization_key, sequence);
create index comment_annotations_feed on comment_annotations (organization_key, created_at, sequence);
create index comment_annotations_document on comment_annotations (organization_key, document_id, created_at, sequence);
create index comment_annotations_location
  on comment_annotations (organization_key, document_id, location_id, created_at, sequence)
  where location_id is not null;
create index comment_annotations_status
  on comment_annotations (organization_key, document_id, status_id, created_at, sequence);
create index comment_annotations_updated on comment_annotations (organization_key, document_id, updated_at);
-- The same without a document; PostgreSQL before 18 does not skip from one document to the next in those above.
create index comment_annotations_feed_location
  on comment_annotations (organization_key, location_id, created_at, sequence)
  where location_id is not null;
create index comment_annotations_feed_status
  on comment_annotations (organization_key, status_id, created_at, sequence);
create index comment_annotations_feed_updated on comment_annotations (organization_key, updated_at);
-- For the deletion of a person's data, as are those on user_id below.
create index comment_annotations_user on comment_annotations (organization_key, user_id, written_at, sequence);
-- For the deletion of a document, as are those on (document_id, written_at) below.
create index comment_annotations_written on comment_annotations (organization_key, document_id, written_at);

-- What follows belongs to an annotation, named by its sequence: an id that is used again gets another one. document_id
-- and written_at are the annotation's, so that the rows of a deleted document go together.

create table comments (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  id bigint not null,
  sequence bigint not null,
  document_id text collate "C" not null,
  written_at bigint not null,
  -- Its own, as in the record.
  created_at bigint not null,
  -- `from.userId`, and those of `taggedUserContacts`.
  user_id text collate "C" not null,
  tagged_user_ids text[] collate "C" not null,
  -- The text that is sent: an annotation's comments are a concatenation of these.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, annotation_sequence, id)
);

create index comments_written on comments (organization_key, document_id, written_at);
create index comments_user on comments (organization_key, user_id, created_at, sequence);

-- A row for each user that takes part in an annotation (has started it or commented in it) or is tagged in it.
create table comment_users (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  -- participant or mentioned
  role text collate "C" not null,
  user_id text collate "C" not null,
  document_id text collate "C" not null,
  -- The annotation's: with the sequence it is the order of a user's list.
  created_at bigint not null,
  written_at bigint not null,
  primary key (organization_key, annotation_sequence, role, user_id)
);

create index comment_users_list on comment_users (organization_key, role, user_id, created_at, annotation_sequence);
create index comment_users_written on comment_users (organization_key, document_id, written_at);

-- A row for each reaction of a user; comments have them in their texts too.
create table comment_reactions (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  comment_id bigint not null,
  reaction text collate "C" not null,
  user_id text collate "C" not null,
  document_id text collate "C" not null,
  written_at bigint not null,
  created_at bigint not null,
  -- With the time of creation the order of a user's reactions.
  sequence bigint not null default nextval('comment_sequence'),
  primary key (organization_key, annotation_sequence, comment_id, reaction, user_id)
);

create index comment_reactions_written on comment_reactions (organization_key, document_id, written_at);
create index comment_reactions_user on comment_reactions (organization_key, user_id, created_at, sequence);

-- How far a user has read in an annotation: the sequence of a comment.
create table comment_reads (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  user_id text collate "C" not null,
  latest_comment bigint not null,
  -- When the mark was moved there.
  read_at bigint not null,
  document_id text collate "C" not null,
  written_at bigint not null,
  primary key (organization_key, annotation_sequence, user_id)
);

create index comment_reads_written on comment_reads (organization_key, document_id, written_at);
create index comment_reads_user on comment_reads (organization_key, user_id, read_at);

-- Orders annotations with equal creation times, and comments in an annotation. Read markers refer to comments by it.
create sequence comment_sequence;

create table comment_annotations (
  organization_key uuid not null,
  id text collate "C" not null,
  sequence bigint not null,
  document_id text collate "C" not null,
  location_id text collate "C",
  status_id text collate "C" not null,
  -- `from.userId`, the user who started the annotation.
  user_id text collate "C" not null,
  -- All times are milliseconds since the epoch. A caller may set created_at, but not to a time in the future.
  -- written_at is the time of the insert.
  created_at bigint not null,
  updated_at bigint not null,
  written_at bigint not null,
  -- Largest comment ID ever used in the annotation, deleted comments included. The next generated ID is larger.
  last_comment_id bigint not null default 0,
  -- Sequence of the newest comment. 0 if there is none.
  latest_comment bigint not null default 0,
  -- JSON text of the record as the API returns it, except times and comments, which are added in front on read.
  record json not null,
  -- Bytes of the record and of its comments.
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
-- The same filters without a document. PostgreSQL before 18 has no skip scan over document_id in the indexes above.
create index comment_annotations_feed_location
  on comment_annotations (organization_key, location_id, created_at, sequence)
  where location_id is not null;
create index comment_annotations_feed_status
  on comment_annotations (organization_key, status_id, created_at, sequence);
create index comment_annotations_feed_updated on comment_annotations (organization_key, updated_at);
-- Serves the deletion of a user's data, as do the indexes on user_id below.
create index comment_annotations_user on comment_annotations (organization_key, user_id, written_at, sequence);
-- Serves the deletion of a document, as do the indexes on (document_id, written_at) below.
create index comment_annotations_written on comment_annotations (organization_key, document_id, written_at);

-- The tables below reference an annotation by its sequence, because an annotation ID can be reused after a deletion.
-- They repeat the annotation's document_id and written_at, so that deleting a document deletes their rows too.

create table comments (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  id bigint not null,
  sequence bigint not null,
  document_id text collate "C" not null,
  written_at bigint not null,
  -- Creation time of the comment itself, as in the record.
  created_at bigint not null,
  -- user_id is `from.userId`, tagged_user_ids are the user IDs in `taggedUserContacts`.
  user_id text collate "C" not null,
  tagged_user_ids text[] collate "C" not null,
  -- JSON text of the comment as the API returns it. The comments of an annotation are a concatenation of these texts.
  record json not null,
  record_bytes integer not null,
  primary key (organization_key, annotation_sequence, id)
);

create index comments_written on comments (organization_key, document_id, written_at);
create index comments_user on comments (organization_key, user_id, created_at, sequence);

-- One row per participant of an annotation (who started it or commented in it) and per user tagged in it.
create table comment_users (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  -- `participant` or `mentioned`
  role text collate "C" not null,
  user_id text collate "C" not null,
  document_id text collate "C" not null,
  -- Creation time of the annotation. (created_at, annotation_sequence) orders a user's annotations.
  created_at bigint not null,
  written_at bigint not null,
  primary key (organization_key, annotation_sequence, role, user_id)
);

create index comment_users_list on comment_users (organization_key, role, user_id, created_at, annotation_sequence);
create index comment_users_written on comment_users (organization_key, document_id, written_at);

-- One row per user and reaction. The record of the comment repeats its reactions.
create table comment_reactions (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  comment_id bigint not null,
  reaction text collate "C" not null,
  user_id text collate "C" not null,
  document_id text collate "C" not null,
  written_at bigint not null,
  created_at bigint not null,
  -- (created_at, sequence) orders a user's reactions.
  sequence bigint not null default nextval('comment_sequence'),
  primary key (organization_key, annotation_sequence, comment_id, reaction, user_id)
);

create index comment_reactions_written on comment_reactions (organization_key, document_id, written_at);
create index comment_reactions_user on comment_reactions (organization_key, user_id, created_at, sequence);

-- Read markers: the newest comment of an annotation that a user has read.
create table comment_reads (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  user_id text collate "C" not null,
  latest_comment bigint not null,
  -- Time when the marker was last moved.
  read_at bigint not null,
  document_id text collate "C" not null,
  written_at bigint not null,
  primary key (organization_key, annotation_sequence, user_id)
);

create index comment_reads_written on comment_reads (organization_key, document_id, written_at);
create index comment_reads_user on comment_reads (organization_key, user_id, read_at);

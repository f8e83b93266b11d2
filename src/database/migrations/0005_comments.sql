-- Comment annotations, their comments, reactions and read markers.

-- Orders annotations with equal creation times, and comments in an annotation. Read markers refer to comments by it.
create sequence comment_sequence;

-- The annotations of a document: threads of comments.
create table comment_annotations (
  organization_key uuid not null,
  id text collate "C" not null,
  sequence bigint not null,
  document_id text collate "C" not null,
  location_id text collate "C",
  -- `anchor.editorId`, the collaborative document that the anchor refers to.
  anchor_editor_id text collate "C",
  -- `anchor`, `anchorState` and `anchorText` as one JSON text, if the anchor is in a collaborative document: PostgreSQL
  -- cannot read fields of a record with U+0000.
  anchor json,
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
  -- JSON text of the record as the API returns it, except times and comments, which are added when it is read.
  record json not null,
  -- Bytes of the record and of its comments and reactions.
  record_bytes integer not null,
  -- Its number in the document, as annotation_counters gives it.
  annotation_number bigint not null default 0,
  -- The next columns repeat fields of the record.
  -- `resolvedByUserId`
  resolved_by text collate "C",
  -- `suggestion.status`. Null unless the annotation is a suggestion.
  suggestion_status text collate "C",
  -- Fields of `agent`. Null unless an agent has written the first comment.
  agent_id text collate "C",
  agent_type text collate "C",
  agent_source text collate "C",
  execution_id text collate "C",
  -- `agent.url` in the normal form of the WHATWG URL standard. Null unless it is a URL.
  agent_url text collate "C",
  -- The pairs of the access context, a JSON array of `field:value`. Null if there are none.
  access_fields jsonb,
  -- The viewers of an annotation that is not public: {"userIds": […]}, with "organization": true if the users who have
  -- a permission on the organization see it too. Null if everybody who may read the document sees it.
  viewers jsonb,
  primary key (organization_key, id)
);

create unique index comment_annotations_sequence on comment_annotations (organization_key, sequence);
create index comment_annotations_feed on comment_annotations (organization_key, created_at, sequence);
create index comment_annotations_document on comment_annotations (organization_key, document_id, created_at, sequence);
create index comment_annotations_location
  on comment_annotations (organization_key, document_id, location_id, created_at, sequence)
  where location_id is not null;
-- Serves changes of a collaborative document too, which renew the anchors in it.
create index comment_annotations_anchor
  on comment_annotations (organization_key, document_id, anchor_editor_id, created_at, sequence)
  where anchor_editor_id is not null;
create index comment_annotations_status
  on comment_annotations (organization_key, document_id, status_id, created_at, sequence);
create index comment_annotations_updated on comment_annotations (organization_key, document_id, updated_at);
create index comment_annotations_resolved
  on comment_annotations (organization_key, document_id, resolved_by, created_at, sequence)
  where resolved_by is not null;
create index comment_annotations_agents on comment_annotations (organization_key, document_id, created_at, sequence)
  where agent_source is not null;
create index comment_annotations_pending on comment_annotations (organization_key, document_id, created_at, sequence)
  where agent_source is not null and suggestion_status = 'pending';
create index comment_annotations_agent
  on comment_annotations (organization_key, document_id, agent_id, created_at, sequence)
  where agent_id is not null;
create index comment_annotations_execution
  on comment_annotations (organization_key, document_id, execution_id, created_at, sequence)
  where execution_id is not null;
create index comment_annotations_agent_url
  on comment_annotations (organization_key, document_id, agent_url, created_at, sequence)
  where agent_url is not null;
-- The same filters without a document, and those of agents by type and source. PostgreSQL before 18 has no skip scan
-- over document_id in the indexes above. Within a document, agents are filtered by comment_annotations_agents.
create index comment_annotations_feed_location
  on comment_annotations (organization_key, location_id, created_at, sequence)
  where location_id is not null;
create index comment_annotations_feed_anchor
  on comment_annotations (organization_key, anchor_editor_id, created_at, sequence)
  where anchor_editor_id is not null;
create index comment_annotations_feed_status
  on comment_annotations (organization_key, status_id, created_at, sequence);
create index comment_annotations_feed_updated on comment_annotations (organization_key, updated_at);
create index comment_annotations_feed_resolved
  on comment_annotations (organization_key, resolved_by, created_at, sequence)
  where resolved_by is not null;
create index comment_annotations_feed_agents on comment_annotations (organization_key, created_at, sequence)
  where agent_source is not null;
create index comment_annotations_feed_pending on comment_annotations (organization_key, created_at, sequence)
  where agent_source is not null and suggestion_status = 'pending';
create index comment_annotations_feed_agent on comment_annotations (organization_key, agent_id, created_at, sequence)
  where agent_id is not null;
create index comment_annotations_feed_execution
  on comment_annotations (organization_key, execution_id, created_at, sequence)
  where execution_id is not null;
create index comment_annotations_feed_agent_type
  on comment_annotations (organization_key, agent_type, created_at, sequence)
  where agent_type is not null;
create index comment_annotations_feed_agent_source
  on comment_annotations (organization_key, agent_source, created_at, sequence)
  where agent_source is not null;
-- Serves the deletion of a user's data, as do the indexes on user_id below.
create index comment_annotations_user on comment_annotations (organization_key, user_id, written_at, sequence);
-- Serves the deletion of a document, as do the indexes on (document_id, written_at) below.
create index comment_annotations_written on comment_annotations (organization_key, document_id, written_at);
-- Activities of comments look here for an annotation that is hidden from the user.
create index comment_annotations_private on comment_annotations (organization_key, id) where viewers is not null;

-- The last number given to an annotation in each document. It is never given again, even if its annotation is deleted.
create table annotation_counters (
  organization_key uuid not null,
  document_id text collate "C" not null,
  last_number bigint not null,
  -- Time of the last annotation, in milliseconds since the epoch. Deleting the document deletes older rows.
  written_at bigint not null,
  primary key (organization_key, document_id)
);

create index annotation_counters_written on annotation_counters (organization_key, document_id, written_at);

-- Deleted annotations that were not public, or that their access context hid from users. What was written about their
-- comments stays hidden: from all users if they were private, otherwise while access contexts are compared.
create table private_annotation_tombstones (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  -- Milliseconds since the epoch.
  deleted_at bigint not null,
  is_private boolean not null default true,
  primary key (organization_key, id)
);

create index private_annotation_tombstones_document
  on private_annotation_tombstones (organization_key, document_id, deleted_at);

-- The comments of annotations.
--
-- This table and the next ones reference an annotation by its sequence, because an annotation ID can be reused after a
-- deletion. They repeat the annotation's document_id and written_at, so that deleting a document deletes their rows.
create table comments (
  organization_key uuid not null,
  annotation_sequence bigint not null,
  id bigint not null,
  sequence bigint not null,
  document_id text collate "C" not null,
  written_at bigint not null,
  -- Time of the insert, by which deletions of a user's data go.
  created_at bigint not null,
  -- user_id is `from.userId`, tagged_user_ids are the user IDs in `taggedUserContacts`.
  user_id text collate "C" not null,
  tagged_user_ids text[] collate "C" not null,
  -- JSON text of the comment as sent. The comments of an annotation are a concatenation of these texts.
  record json not null,
  record_bytes integer not null,
  -- `createdAt`, in milliseconds since the epoch, and `lastUpdated`, in ISO 8601. A caller may set both, but not to a
  -- time in the future.
  dated_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  last_updated text collate "C" not null default '',
  -- Whether an update has changed the comment.
  is_updated boolean not null default false,
  -- `isCommentTextAvailable`, which is derived from `commentText` unless it is sent.
  is_text_available boolean not null default true,
  -- Fields that the record has. An absent list is returned as an empty one.
  has_attachments boolean not null default false,
  has_tagged_users boolean not null default false,
  has_agent boolean not null default false,
  -- Whether the comment has ever had a reaction. Reading searches reactions only for these comments.
  had_reactions boolean not null default false,
  primary key (organization_key, annotation_sequence, id)
);

create index comments_written on comments (organization_key, document_id, written_at);
create index comments_user on comments (organization_key, user_id, created_at, sequence);
-- Reading a page with 5 comments in each annotation takes 0.75 of the time without sorting the comments.
create index comments_in_order on comments (organization_key, annotation_sequence, dated_at, sequence);

-- The users of an annotation: one row per participant (who started it or commented in it) and per user tagged in it.
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

-- The reactions to comments: one row per user and reaction.
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
  -- `from` as sent. Null if only the user ID is known.
  record json,
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

alter table workspaces
  -- Milliseconds since the epoch between which the changes of the workspace are written to the event log: somebody has
  -- listened within the retention. Null if nobody ever has.
  add column events_since bigint,
  add column events_until bigint;

-- The last position in the event log of each organization. A transaction locks the row right before its commit, so that
-- positions are given in the order of commits and no reader skips one.
create table event_positions (
  organization_key uuid primary key,
  position bigint not null
) with (fillfactor = 50);

-- The event log. An event names what has changed, and readers read the records: they stay where they are purged, and
-- nobody gets more than the record shows them.
create table events (
  organization_key uuid not null,
  position bigint not null,
  created_at bigint not null,
  kind text collate "C" not null,
  -- Null if the event is about the organization.
  document_id text collate "C",
  -- Who gets it: `document` (whoever may read the document), `organization` (of these, whoever has a permission on the
  -- organization), `user` (only `user_id`), or `backend` (no user). Backends get all but `user`.
  audience text not null,
  -- The user whom the event concerns.
  user_id text collate "C",
  -- Pairs of the access context of a deleted record, as in comment_annotations.
  access_fields jsonb,
  -- IDs of what has changed.
  subject json not null,
  primary key (organization_key, position)
);
create index events_document on events (organization_key, document_id, position);
create index events_created_at on events (created_at);
create index events_user on events (organization_key, user_id, created_at) where user_id is not null;

alter table workspaces
  -- Whether users see only the records of whose access context they hold every pair.
  add column is_context_enabled boolean not null default false;

-- The pairs of the access context, a JSON array of `field:value`. Null if there are none.
alter table comment_annotations add column access_fields jsonb;

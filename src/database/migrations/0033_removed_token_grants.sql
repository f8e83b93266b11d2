-- Resources on which a user's permission was removed. Grants on them of tokens issued until `removed_at` do not count.
-- A row is deleted when all those tokens have expired.
create table removed_token_grants (
  organization_key uuid not null,
  user_id text collate "C" not null,
  -- `organization`, `folder`, `document`, `context`, or `all` for every resource in the organization.
  resource_type text collate "C" not null,
  -- ID of the folder or document. Empty for the organization and for `all`.
  resource_id text collate "C" not null,
  -- Milliseconds since the epoch, by the clock of the database, which also gives tokens their time.
  removed_at bigint not null,
  primary key (organization_key, user_id, resource_type, resource_id)
);

create index on removed_token_grants (removed_at);

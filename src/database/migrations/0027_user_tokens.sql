-- Users whose tokens issued until `revoked_at` are refused. A row is deleted when all those tokens have expired.
create table user_token_revocations (
  workspace_id uuid not null references workspaces on delete cascade,
  -- The first 16 bytes of SHA-256 over the user ID.
  user_key uuid not null,
  -- Milliseconds since the epoch, by the clock of the database, which also gives tokens their time.
  revoked_at bigint not null,
  primary key (workspace_id, user_key)
);

create index on user_token_revocations (revoked_at);

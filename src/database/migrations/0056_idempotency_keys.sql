-- Answers to writes that were sent with an Idempotency-Key. A repeated request gets the answer of the first one.
create table idempotency_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  -- SHA-256 of the key and of the user who has sent it, if any.
  key_hash bytea not null,
  -- SHA-256 of the path and the body.
  request_hash bytea not null,
  -- The attempt that is in progress until `lease_ends_at`, in milliseconds since the epoch.
  holder uuid not null,
  lease_ends_at bigint not null,
  created_at bigint not null,
  -- The encrypted body of the answer; null until then.
  answer bytea,
  primary key (workspace_id, key_hash)
);

create index on idempotency_keys (created_at);

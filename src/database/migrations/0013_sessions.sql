-- Addresses of owners are compared with A to Z as a to z and everything else as it is written: with "C" no letter
-- outside of ASCII ever counts as one of these.
create index workspaces_owner on workspaces (lower(owner_email collate "C"), created_at, id);

-- Unused ones.
create table login_links (
  -- SHA-256 of the token.
  token_hash bytea primary key,
  -- In the form that is compared; null: the operator's.
  owner_address text collate "C",
  -- Where the browser goes after it has signed in; null: nowhere.
  continue_url text,
  expires_at timestamptz not null
);

create index on login_links (expires_at);

create table sessions (
  id uuid primary key,
  -- SHA-256 of the cookie's value.
  token_hash bytea not null unique,
  -- In the form that is compared; null: the operator's, which reaches every workspace.
  owner_address text collate "C",
  -- As much of the browser's name as is shown.
  user_agent text not null,
  created_at timestamptz not null default statement_timestamp(),
  last_used_at timestamptz not null default statement_timestamp(),
  expires_at timestamptz not null
);

create index on sessions (owner_address, created_at, id);
create index on sessions (expires_at);
create index on sessions (last_used_at);

-- How often links were asked for.
create table login_attempts (
  -- Keyed hash of an e-mail address or of a client's address.
  subject_hash bytea primary key,
  -- Of the last 15 minutes, the oldest first.
  times timestamptz[] not null,
  last_at timestamptz not null
);

create index on login_attempts (last_at);

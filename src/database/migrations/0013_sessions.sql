-- Owners' email addresses are compared case-insensitively for ASCII letters only. The collation "C" keeps other letters
-- from ever matching an ASCII letter.
create index workspaces_owner on workspaces (lower(owner_email collate "C"), created_at, id);

-- Unused login links. Using a link deletes its row.
create table login_links (
  -- SHA-256 of the token.
  token_hash bytea primary key,
  -- Normalized email address of the owner. Null for the operator.
  owner_address text collate "C",
  -- URL that the browser continues to after signing in, if any.
  continue_url text,
  expires_at timestamptz not null
);

create index on login_links (expires_at);

create table sessions (
  id uuid primary key,
  -- SHA-256 of the cookie's value.
  token_hash bytea not null unique,
  -- Normalized email address of the owner. Null for the operator, who can access every workspace.
  owner_address text collate "C",
  -- User-Agent header, truncated.
  user_agent text not null,
  created_at timestamptz not null default statement_timestamp(),
  last_used_at timestamptz not null default statement_timestamp(),
  expires_at timestamptz not null
);

create index on sessions (owner_address, created_at, id);
create index on sessions (expires_at);
create index on sessions (last_used_at);

-- Rate limit of login links.
create table login_attempts (
  -- Keyed hash of an email address or of a client's IP address.
  subject_hash bytea primary key,
  -- Requests in the last 15 minutes, oldest first.
  times timestamptz[] not null,
  last_at timestamptz not null
);

create index on login_attempts (last_at);

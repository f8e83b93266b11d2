-- Workspaces, their settings, and access to the console. These tables have no organization_key and are small. On Citus,
-- workspaces is a reference table, and the others stay on the coordinator.

-- The workspaces and most of their settings.
create table workspaces (
  id uuid primary key,
  name text not null,
  owner_email text,
  api_key text not null,
  api_key_hash bytea not null unique,
  activity_service_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  activities_immutable boolean not null default false,
  -- Time when the activity service was last turned on.
  activity_service_enabled_at timestamptz,
  activity_triggers json not null default '{}',
  default_document_access_type text collate "C" not null default 'organizationPrivate',
  -- The settings of /v2/workspace/notificationconfig/update. Null before the first update.
  notification_config json,
  -- The settings of /v2/workspace/tokenissuerconfig/update. Null before the first update.
  token_issuer_config json,
  -- Whether users see only the records of whose access context they hold every pair.
  is_context_enabled boolean not null default false,
  -- Whether users see the email addresses of users.
  show_user_emails boolean not null default false,
  -- Minutes of editing after which a collaborative document gets an automatic version; 0 for none.
  automatic_version_minutes integer not null default 30,
  -- Days for which the last automatic version of each day is kept.
  automatic_version_days integer not null default 30,
  -- Whether browsers must call with user tokens.
  require_jwt_token boolean not null default false,
  -- Whether the first user token that names an organization makes the user its editor.
  require_auto_org_user boolean not null default false,
  -- A setting for clients, which the service only stores.
  private_comments_enabled boolean not null default false,
  -- Milliseconds since the epoch between which the changes of the workspace are written to the event log: somebody has
  -- listened within the retention. Null if nobody ever has.
  events_since bigint,
  events_until bigint
);

-- Owners' email addresses are compared case-insensitively for ASCII letters only. The collation "C" keeps other letters
-- from ever matching an ASCII letter.
create index workspaces_owner on workspaces (lower(owner_email collate "C"), created_at, id);

-- The auth tokens of a workspace, without their text.
create table auth_tokens (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  -- What the token allows: read, write and admin.
  scopes text[] not null default '{read,write,admin}',
  -- The last four characters of the token, by which its holder recognizes it. Null if it is not long enough for that.
  last_characters text
);

create index on auth_tokens (workspace_id);

-- Auth tokens that were revoked or replaced, so that their name stays known and their further use is logged. A row is
-- deleted after AUDIT_RETENTION_DAYS.
create table revoked_auth_tokens (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  token_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_characters text,
  revoked_at timestamptz not null default now()
);

create index on revoked_auth_tokens (workspace_id);
create index on revoked_auth_tokens (token_hash);
create index on revoked_auth_tokens (revoked_at);

-- Numbers of user tokens, of their revocations, and of removals of permissions that they carry, in their order.
create sequence user_token_sequence;

-- Users whose tokens with smaller numbers are rejected. A row is deleted when all those tokens have expired.
create table user_token_revocations (
  workspace_id uuid not null references workspaces on delete cascade,
  -- The first 16 bytes of SHA-256 over the user ID.
  user_key uuid not null,
  -- Number from user_token_sequence.
  number bigint not null default 0,
  -- Milliseconds since the epoch.
  revoked_at bigint not null,
  primary key (workspace_id, user_key)
);

create index on user_token_revocations (revoked_at);

-- The email settings of a workspace.
create table email_configs (
  workspace_id uuid primary key references workspaces,
  -- All settings except the provider key.
  settings json not null,
  -- Provider key, encrypted under SECRET_KEY and bound to the workspace. Null if none is set.
  api_key bytea
);

-- The log of mails that belong to no organization: test mails, login links, and notices about webhook endpoints. A row
-- has no text of its mail. It is deleted after MAIL_RETENTION_DAYS.
create table workspace_mails (
  workspace_id uuid not null,
  -- ID of the mail, ordered by time.
  id uuid not null,
  -- `test`, `login_link` or `webhook_disabled`.
  kind text collate "C" not null,
  address text not null,
  -- How the last attempt ended, or `expired`.
  state text collate "C" not null,
  -- The mail server's response, or why the mail was not sent. Null if there is nothing to say.
  reason text,
  -- Number of attempts that have ended.
  attempts integer not null,
  -- Milliseconds since the epoch: of the first attempt and of the last change.
  created_at bigint not null,
  updated_at bigint not null,
  primary key (workspace_id, id)
);

create index on workspace_mails (created_at);

-- The domains whose web pages may call the API.
create table allowed_domains (
  workspace_id uuid not null references workspaces,
  -- A host in lower case and punycode, optionally prefixed with `*.`.
  domain text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, domain)
);

-- Serves preflight requests, which name no workspace.
create index on allowed_domains (domain, workspace_id);

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

-- The sessions of the console.
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

-- The rate limit of login links.
create table login_attempts (
  -- Keyed hash of an email address or of a client's IP address.
  subject_hash bytea primary key,
  -- Requests in the last 15 minutes, oldest first.
  times timestamptz[] not null,
  last_at timestamptz not null
);

create index on login_attempts (last_at);

-- Administrative acts of a workspace. The acts of the operator's own sessions belong to no workspace and have the nil
-- UUID.
create table audit_entries (
  sequence bigint generated always as identity primary key,
  workspace_id uuid not null,
  -- Milliseconds since the epoch.
  created_at bigint not null,
  action text collate "C" not null,
  -- JSON text of the entry as the API returns it.
  record json not null,
  record_bytes integer not null,
  -- Name of the auth token, address of the session's owner, or ID of the user. Null for the operator, the command line
  -- and users whose data was deleted.
  actor_name text collate "C"
);

create index on audit_entries (workspace_id, sequence);
create index on audit_entries (workspace_id, actor_name, sequence);
create index on audit_entries (created_at);

-- Responses to writes that were sent with an Idempotency-Key. A repeated request gets the response of the first one.
create table idempotency_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  -- SHA-256 of the key and of the user who has sent it, if any.
  key_hash bytea not null,
  -- SHA-256 of the path and the body.
  request_hash bytea not null,
  created_at bigint not null,
  -- The encrypted body of the response. Null only within the transaction of the operation.
  response bytea,
  primary key (workspace_id, key_hash)
);

create index on idempotency_keys (created_at);

-- The latest requests of backends and users to a workspace, without bodies and secrets. A row has the requests of one
-- process and second, so that a request costs no row. It is deleted after REQUEST_RETENTION_DAYS.
create table request_log (
  sequence bigint generated always as identity primary key,
  workspace_id uuid not null,
  -- Milliseconds since the epoch.
  created_at bigint not null default floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
  -- Whether the requests had wrong credentials or unknown paths.
  is_rejected boolean not null default false,
  count integer not null,
  -- JSON array of the requests as the API returns them, in the order of their responses.
  requests json not null
);

create index on request_log (workspace_id, sequence);
create index on request_log (created_at);

-- Recognizes the SECRET_KEY with which the database is used. It has one row, with the ID 1.
create table secret_key_fingerprints (
  id integer primary key,
  fingerprint bytea not null
);

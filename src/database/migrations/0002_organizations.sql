-- Organizations, folders, documents, and the permissions of users on them.
--
-- organization_key is the first 16 bytes of SHA-256 over workspace id, U+0000, organization id. Rows of two workspaces
-- never share a key. The key is the first column of every primary key in this and the following files, and the
-- distribution column on Citus.

-- Returns a text of a record in lower case, truncated, for the search by name. The type text cannot store U+0000 or
-- lone surrogates, so their JSON escapes are removed first (skipping each `\\`).
create function search_text(record json, field text) returns text
language sql immutable parallel safe as $$
  select left(lower(
    regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> field collate "C"
  ), 255) collate "C"
$$;

-- The organizations of all workspaces.
create table organizations (
  organization_key uuid primary key,
  workspace_id uuid not null,
  organization_id text collate "C" not null,
  disabled boolean not null default false,
  -- Set while a job purges the organization. The job deletes this row last.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  -- JSON text of the record as the API returns it, except "disabled". Null until a caller adds or updates the
  -- organization.
  record json,
  record_bytes integer not null default 0,
  -- Name in the record with ASCII letters in lower case, for the search and the order by name.
  name text collate "C" generated always as (search_text(record, 'organizationName')) stored
);

create index on organizations (workspace_id, organization_id);

-- The folders of an organization, which form trees.
create table folders (
  organization_key uuid not null,
  folder_id text collate "C" not null,
  -- JSON text with the field `folderName`.
  record json not null,
  -- Null at the top level.
  parent_folder_id text collate "C",
  -- IDs of its ancestors and itself, outermost first.
  path text[] collate "C" not null,
  -- Its own access type. Null if it inherits.
  access_type text collate "C",
  -- The access type that applies, and the depth, from 1, of the folder in `path` whose own type it is. Null if it is
  -- the default of the workspace. Every change of the tree updates path and type of all descendants.
  effective_access_type text collate "C",
  definer_depth integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_key, folder_id)
);

create index folders_parent on folders (organization_key, parent_folder_id, folder_id);
-- The folders that are not open to everyone, by access type. Most organizations have few or none, so a statement finds
-- out quickly whether it must decide access for each document.
create index folders_closed on folders (organization_key, effective_access_type)
  where effective_access_type <> 'public';

-- The documents of an organization.
create table documents (
  organization_key uuid not null,
  document_id text collate "C" not null,
  created_at timestamptz not null default now(),
  -- JSON text of the record as the API returns it, except "disabled" and "lastActivity". Null until a caller adds or
  -- updates the document.
  record json,
  record_bytes integer not null default 0,
  -- Null outside of any folder.
  folder_id text collate "C",
  -- Its own access type. Null if it inherits.
  access_type text collate "C",
  disabled boolean not null default false,
  -- The migration that moves the data of the document, or to it. The document is then disabled.
  migration_id text collate "C",
  -- Name in the record, as organizations.name.
  name text collate "C" generated always as (search_text(record, 'documentName')) stored,
  primary key (organization_key, document_id)
);

-- Finds the organizations that have a document with a given ID.
create index documents_by_id on documents (document_id);
create index documents_in_folder on documents (organization_key, folder_id, document_id) where folder_id is not null;
create index documents_outside on documents (organization_key, document_id) where folder_id is null;
create index documents_disabled on documents (organization_key, document_id) where disabled;
-- The documents that are not open to everyone, as folders_closed has such folders.
create index documents_closed on documents (organization_key, access_type) where access_type <> 'public';

-- Pending purges of documents. A job deletes everything in the document that was written up to deleted_at.
create table document_purges (
  organization_key uuid not null,
  document_id text collate "C" not null,
  -- Milliseconds since the epoch.
  deleted_at bigint not null,
  -- The transaction of the deletion. Rows of earlier ones are purged too, since their times may be later if the clock
  -- was ahead. Null on Citus, and after a restore.
  deleted_in xid8,
  primary key (organization_key, document_id)
);

-- Migrations of documents. Each moves all data of a document to another ID. Its job disables both documents meanwhile.
create table document_migrations (
  organization_key uuid not null,
  id text collate "C" not null,
  from_document_id text collate "C" not null,
  to_document_id text collate "C" not null,
  -- `pending`, `in_progress`, `completed` or `failed`
  status text collate "C" not null default 'pending',
  -- Why it failed. Null otherwise.
  failure text,
  -- Whether the document was disabled before, as it is again afterwards.
  was_disabled boolean not null,
  -- Deletions of users' data that were in progress when it began. It waits for them; later ones wait for it.
  deletion_ids uuid[] not null default '{}',
  -- Milliseconds since the epoch. Null until the migration is completed or failed; the row is deleted 30 days later.
  ended_at bigint,
  primary key (organization_key, id)
);

create index document_migrations_ended on document_migrations (ended_at) where ended_at is not null;

-- The users of organizations, folders and documents, and stored grants: the role of a user on one of them.
create table grants (
  organization_key uuid not null,
  user_id text collate "C" not null,
  -- `organization`, `folder` or `document`.
  resource_type text collate "C" not null,
  -- ID of the folder or document. Empty for the organization.
  resource_id text collate "C" not null,
  -- `viewer`, `commenter`, `editor` or `moderator`. Null if the user was added without a role: the row grants nothing.
  access_role text collate "C",
  -- Time from which the grant does not count. Null if it has no end.
  expires_at timestamptz,
  -- Time of the latest call that wrote the grant. Milliseconds since the epoch.
  written_at bigint not null,
  -- Whether the user was added to the resource, and so is one of its users also without a role.
  is_added boolean not null default false,
  -- ID of the document, so that the grants of a document are deleted with its other rows.
  document_id text collate "C" generated always as (
    case when resource_type = 'document' then resource_id end
  ) stored,
  primary key (organization_key, user_id, resource_type, resource_id)
);

-- Each grant is in one of these two, by which the users of a resource are read.
create index grants_document on grants (organization_key, document_id, user_id) where document_id <> '';
create index grants_resource on grants (organization_key, resource_type, resource_id, user_id)
  where resource_type <> 'document';
-- Reads the users of all documents.
create index grants_document_user on grants (organization_key, user_id) where document_id <> '';
-- The readers of events look every second for permissions that have just ended.
create index grants_expiring on grants (organization_key, expires_at) where expires_at is not null;

-- Resources on which a user's permission was removed. Grants on them of tokens with smaller numbers do not count.
-- A row is deleted when all those tokens have expired.
create table removed_token_grants (
  organization_key uuid not null,
  user_id text collate "C" not null,
  -- `organization`, `folder`, `document`, `context`, or `all` for every resource in the organization.
  resource_type text collate "C" not null,
  -- ID of the folder or document. Empty for the organization and for `all`.
  resource_id text collate "C" not null,
  -- Number from user_token_sequence.
  number bigint not null default 0,
  -- Milliseconds since the epoch.
  removed_at bigint not null,
  primary key (organization_key, user_id, resource_type, resource_id)
);

create index on removed_token_grants (removed_at);

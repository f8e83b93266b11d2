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

alter table documents
  -- Null outside of any folder.
  add column folder_id text collate "C",
  -- Its own access type. Null if it inherits.
  add column access_type text collate "C";

create index documents_in_folder on documents (organization_key, folder_id, document_id) where folder_id is not null;
create index documents_outside on documents (organization_key, document_id) where folder_id is null;

alter table workspaces add column default_document_access_type text collate "C" not null default 'public';

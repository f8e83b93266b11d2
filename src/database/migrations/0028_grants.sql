-- Stored grants: the role of a user on an organization, a folder or a document.
create table grants (
  organization_key uuid not null,
  user_id text collate "C" not null,
  -- `organization`, `folder` or `document`.
  resource_type text collate "C" not null,
  -- ID of the folder or document. Empty for the organization.
  resource_id text collate "C" not null,
  -- `viewer` or `editor`.
  access_role text collate "C" not null,
  -- Time from which the grant does not count. Null if it has no end.
  expires_at timestamptz,
  -- Time of the latest call that wrote the grant. Milliseconds since the epoch.
  written_at bigint not null,
  -- ID of the document, so that the grants of a document are deleted with its other rows.
  document_id text collate "C" generated always as (
    case when resource_type = 'document' then resource_id end
  ) stored,
  primary key (organization_key, user_id, resource_type, resource_id)
);

-- Each grant is in one of these, by which the users of a resource are read.
create index grants_document on grants (organization_key, document_id, user_id) where document_id <> '';
create index grants_resource on grants (organization_key, resource_type, resource_id, user_id)
  where resource_type <> 'document';

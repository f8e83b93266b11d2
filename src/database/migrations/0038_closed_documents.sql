-- The documents and folders that are not open to everyone. Most organizations have few or none, so that a statement
-- finds out in a moment whether it must decide access for each document.
create index documents_closed on documents (organization_key) where access_type <> 'public';
create index folders_closed on folders (organization_key) where effective_access_type <> 'public';

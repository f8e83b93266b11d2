-- Finds the organizations that have a document of this id.
create index documents_by_id on documents (document_id);

-- Finds the organizations that have a document with a given ID.
create index documents_by_id on documents (document_id);

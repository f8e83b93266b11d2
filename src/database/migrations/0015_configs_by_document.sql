-- Serves the deletion of documents only. The partial condition keeps the planner from using this index to read a user's
-- preferences: without table statistics it chose this index over the primary key and read all users of the documents.
drop index notification_configs_document;
create index notification_configs_document on notification_configs (organization_key, document_id, written_at)
  where document_id <> '';

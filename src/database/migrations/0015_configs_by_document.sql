-- For the deletion of documents only: the reading of a user's preferences is to take the primary key, where they lie side
-- by side, and its statement does not imply the condition. Before the table had statistics the planner took this index
-- and read every user of the documents.
drop index notification_configs_document;
create index notification_configs_document on notification_configs (organization_key, document_id, written_at)
  where document_id <> '';

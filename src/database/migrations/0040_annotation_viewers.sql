-- Who sees an annotation that is not public: {"userIds": […]}, with "organization": true if the users who have a
-- permission on the organization see it too. Null: everybody who may read the document.
alter table comment_annotations add column viewers jsonb;

-- Activities of comments look here for an annotation that is hidden from the user.
create index comment_annotations_private on comment_annotations (organization_key, id) where viewers is not null;

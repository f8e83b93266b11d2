alter table documents add column disabled boolean not null default false;

create index documents_disabled on documents (organization_key, document_id) where disabled;

-- Users belong to an organization, a folder or a document by their grants on it. Those of earlier versions are users of
-- their organization, and of the documents in document_users, with the role in their record, which is `editor` by
-- default. Escapes that the type text cannot store are removed before a record is read, as for the column email.
insert into grants (organization_key, user_id, resource_type, resource_id, access_role, written_at)
select organization_key, user_id, 'organization', '',
  case when regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'accessRole'
    = 'viewer' then 'viewer' else 'editor' end,
  written_at
from users
on conflict do nothing;

insert into grants (organization_key, user_id, resource_type, resource_id, access_role, written_at)
select document_users.organization_key, document_users.user_id, 'document', document_users.document_id,
  coalesce(member.access_role, 'editor'), document_users.written_at
from document_users left join grants member
  on member.organization_key = document_users.organization_key and member.user_id = document_users.user_id
  and member.resource_type = 'organization' and member.resource_id = ''
on conflict do nothing;

-- The role is added to a record when it is read. Records were written without spaces.
update users
set record = regexp_replace(
    regexp_replace(record::text, '"accessRole":"(viewer|editor)",?', ''), ',\}$', '}'
  )::json
where record::text !~ '"accessRole":"(viewer|editor)".*"accessRole":"(viewer|editor)"'
  and regexp_replace(
    record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'accessRole' is not null;
update users set record_bytes = octet_length(record::text) where record_bytes <> octet_length(record::text);

-- First letter of the name; null if the record has an initial of its own.
alter table users add column initial text collate "C" generated always as (
  case when regexp_replace(
      record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'initial' is null
    then nullif(left(regexp_replace(
      record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'name', 1), '')
  end
) stored;

-- The users of all documents are read by this one.
create index grants_document_user on grants (organization_key, user_id) where document_id <> '';

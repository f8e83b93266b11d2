-- Name in the record with ASCII letters in lower case, for the search by name. JSON escapes that the type text cannot
-- store are removed first, as in users.email.
alter table organizations add column name text collate "C" generated always as (
  left(lower(
    regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json
      ->> 'organizationName' collate "C"
  ), 255)
) stored;

create index organizations_name on organizations (workspace_id, name);

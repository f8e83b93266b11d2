-- What the record says, with A to Z as a to z, for the search by name; the escapes that a text cannot hold go first, as
-- in the addresses of users.
alter table organizations add column name text collate "C" generated always as (
  left(lower(
    regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json
      ->> 'organizationName' collate "C"
  ), 255)
) stored;

create index organizations_name on organizations (workspace_id, name);

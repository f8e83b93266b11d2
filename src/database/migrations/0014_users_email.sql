-- Email address in the record, in lower case, for the search by address. The type text cannot store U+0000 or lone
-- surrogates, so their JSON escapes are removed first (skipping each `\\`). Truncated to the length of an address.
alter table users add column email text collate "C" generated always as (
  left(lower(
    regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'email' collate "C"
  ), 255)
) stored;

create index users_email on users (organization_key, email);

-- What the record says, in lower case, for the search by address. A text cannot hold U+0000, and a lone surrogate is
-- none, so their escapes go first (each `\\` is passed over); of what is longer than any address it has the beginning.
alter table users add column email text collate "C" generated always as (
  left(lower(
    regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> 'email' collate "C"
  ), 255)
) stored;

create index users_email on users (organization_key, email);

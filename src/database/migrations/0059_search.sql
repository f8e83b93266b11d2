-- The search of a workspace by the start of IDs, names and addresses. A text of a record is compared in lower case,
-- without the JSON escapes that the type text cannot store, as in users.email.
create function search_text(record json, field text) returns text
language sql immutable parallel safe as $$
  select left(lower(
    regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json ->> field collate "C"
  ), 255) collate "C"
$$;

create index users_search_id on users (user_id);
create index users_search_name on users (search_text(record, 'name'));
create index users_search_email on users (email);
create index documents_search_name on documents (search_text(record, 'documentName'));

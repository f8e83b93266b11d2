-- The search of a workspace by the start of the second, third and fourth word of a name. A word begins after white
-- space or ASCII punctuation. An index has the rest of the name from that word on, so that a search reads a range of
-- it up to its limit, however many names match. A name without that word is not in the index.
create function text_from_word(value text, number integer) returns text
language sql immutable parallel safe as $$
  select substring(value from '^[^[:space:][:punct:]]*[[:space:][:punct:]]+'
    || '(?:[^[:space:][:punct:]]+[[:space:][:punct:]]+){' || (number - 2)::text
    || '}([^[:space:][:punct:]].*)$' collate "C") collate "C"
$$;

create index organizations_word_2 on organizations (workspace_id, text_from_word(name, 2))
  where text_from_word(name, 2) is not null;
create index organizations_word_3 on organizations (workspace_id, text_from_word(name, 3))
  where text_from_word(name, 3) is not null;
create index organizations_word_4 on organizations (workspace_id, text_from_word(name, 4))
  where text_from_word(name, 4) is not null;
create index documents_word_2 on documents (text_from_word(search_text(record, 'documentName'), 2))
  where text_from_word(search_text(record, 'documentName'), 2) is not null;
create index documents_word_3 on documents (text_from_word(search_text(record, 'documentName'), 3))
  where text_from_word(search_text(record, 'documentName'), 3) is not null;
create index documents_word_4 on documents (text_from_word(search_text(record, 'documentName'), 4))
  where text_from_word(search_text(record, 'documentName'), 4) is not null;

-- The users of a text are in order, so that a search passes over the organizations of a user whom it has found.
create index users_name on users (search_text(record, 'name'), user_id);
create index users_address on users (email, user_id);
create index users_word_2 on users (text_from_word(search_text(record, 'name'), 2), user_id)
  where text_from_word(search_text(record, 'name'), 2) is not null;
create index users_word_3 on users (text_from_word(search_text(record, 'name'), 3), user_id)
  where text_from_word(search_text(record, 'name'), 3) is not null;
create index users_word_4 on users (text_from_word(search_text(record, 'name'), 4), user_id)
  where text_from_word(search_text(record, 'name'), 4) is not null;
-- Citus drops one object in a command.
drop index users_search_name;
drop index users_search_email;

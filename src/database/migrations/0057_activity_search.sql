-- Text search of activities: the words of the message template, of the texts in its data, of the name of the user and
-- of the action type. The organization's key is a word too, so that the index reads the entries of one organization.
-- A record of more than 64 KiB, or with an escaped character such as U+0000, which no text can hold, has no words.
create function activity_words(organization_key uuid, record json, record_bytes integer) returns tsvector
language sql immutable parallel safe as $$
  select case when record_bytes <= 65536 and strpos(record::text, '\u') = 0 then
    array_to_tsvector(array[organization_key::text])
    || to_tsvector('pg_catalog.simple', coalesce(record ->> 'displayMessageTemplate', '')
      || ' ' || coalesce(record -> 'actionUser' ->> 'name', '') || ' ' || (record ->> 'actionType'))
    || json_to_tsvector('pg_catalog.simple', coalesce(record -> 'displayMessageTemplateData', '{}'), '["string"]')
  end
$$;

create index activities_words on activities using gin (activity_words(organization_key, record, record_bytes));

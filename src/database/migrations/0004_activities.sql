-- Activities.

create sequence activity_sequence;

-- Returns the text as the search for words compares it: in Unicode's form NFC, and with one form of the Greek sigma,
-- whose capital has two in lower case. A word search reads no more of it than this.
create function searched_text(value text) returns text
language sql immutable parallel safe
return translate(normalize(left(value, 65536), NFC), 'ς', 'σ');

-- Returns the words of an activity with any characters and of any size. The type text cannot store U+0000 or lone
-- surrogates, so their JSON escapes are removed first (skipping each `\\`). Of data of more than 64 KiB, names of
-- fields are words too. In an index, functions find each other only if none of their bodies is a text, as here.
create function all_activity_words(organization_key uuid, record json) returns tsvector
language sql immutable parallel safe
return (
  select array_to_tsvector(array[organization_key::text])
    || to_tsvector('pg_catalog.simple', searched_text(concat_ws(' ', left("displayMessageTemplate", 65536),
      left("actionUser" ->> 'name', 65536), "actionType")))
    || case when octet_length("displayMessageTemplateData"::text) <= 65536
      then json_to_tsvector('pg_catalog.simple', searched_text("displayMessageTemplateData"::text)::json, '["string"]')
      else to_tsvector('pg_catalog.simple', searched_text(coalesce("displayMessageTemplateData"::text, ''))) end
  from json_to_record(
    regexp_replace(record::text, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'gi')::json
  ) as activity ("displayMessageTemplate" text, "actionUser" json, "actionType" text, "displayMessageTemplateData" json)
);

-- Returns the words of an activity for the text search: those of the message template, of the texts in its data, of the
-- name of the user and of the action type. The organization's key is a word too, so that the index reads the entries of
-- one organization. A small record in ASCII without escapes, which most are, needs no other treatment, and takes a
-- fraction of the time.
create function activity_words(organization_key uuid, record json, record_bytes integer) returns tsvector
language sql immutable parallel safe
return case when record_bytes <= 65536 and length(record::text) = octet_length(record::text)
      and strpos(record::text, '\u') = 0 then
    array_to_tsvector(array[organization_key::text])
    || to_tsvector('pg_catalog.simple', coalesce(record ->> 'displayMessageTemplate', '')
      || ' ' || coalesce(record -> 'actionUser' ->> 'name', '') || ' ' || (record ->> 'actionType'))
    || json_to_tsvector('pg_catalog.simple', coalesce(record -> 'displayMessageTemplateData', '{}'), '["string"]')
  else all_activity_words(organization_key, record) end;

-- The activities of an organization.
create table activities (
  organization_key uuid not null,
  id text collate "C" not null,
  document_id text collate "C" not null,
  target_entity_id text collate "C",
  user_id text collate "C" not null,
  feature_type text collate "C" not null,
  action_type text collate "C" not null,
  -- Milliseconds since the epoch. (created_at, sequence) is unique and orders the feed.
  created_at bigint not null,
  sequence bigint not null,
  -- JSON text of the record as sent. Pages concatenate these texts.
  record json not null,
  record_bytes integer not null,
  -- Callers may set the time of an activity, and created_at then is that time. Deletions go by the time of writing,
  -- which is never earlier. written_at has it if the two differ. Null means created_at, which costs no bytes.
  written_at bigint,
  primary key (organization_key, id)
);

create index activities_feed on activities (organization_key, created_at, sequence);
create index activities_document on activities (organization_key, document_id, created_at, sequence);
create index activities_target on activities (organization_key, target_entity_id, created_at, sequence)
  where target_entity_id is not null;
create index activities_user on activities (organization_key, user_id, created_at, sequence);
create index activities_feature on activities (organization_key, feature_type, created_at, sequence);
create index activities_action on activities (organization_key, action_type, created_at, sequence);
create index activities_words on activities using gin (activity_words(organization_key, record, record_bytes));
-- Searches of words in the activities of a whole workspace since some time. Records arrive in order of time, so a
-- summary of each range of pages finds them, and takes almost no space.
create index activities_time on activities using brin (created_at) with (autosummarize = on);

-- Activities.

create sequence activity_sequence;

-- Returns the words of an activity for the text search: those of the message template, of the texts in its data, of the
-- name of the user and of the action type. The organization's key is a word too, so that the index reads the entries of
-- one organization. A record of more than 64 KiB, or with an escaped character such as U+0000, which no text can hold,
-- has no words.
create function activity_words(organization_key uuid, record json, record_bytes integer) returns tsvector
language sql immutable parallel safe as $$
  select case when record_bytes <= 65536 and strpos(record::text, '\u') = 0 then
    array_to_tsvector(array[organization_key::text])
    || to_tsvector('pg_catalog.simple', coalesce(record ->> 'displayMessageTemplate', '')
      || ' ' || coalesce(record -> 'actionUser' ->> 'name', '') || ' ' || (record ->> 'actionType'))
    || json_to_tsvector('pg_catalog.simple', coalesce(record -> 'displayMessageTemplateData', '{}'), '["string"]')
  end
$$;

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

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

-- Adds activities to one organization, in documents that exist and are not disabled, unless the organization is
-- disabled or being deleted. An activity that exists is overwritten where it is in the feed. The lists have an element
-- for each activity. Times are in milliseconds since the epoch; now_ms is the time of the coordinator, because the
-- clocks of nodes differ. Returns the documents that could be written.
--
-- On Citus, the node that has the organization runs all of it, and keeps the plans of its statements. For that, each
-- statement names the organization, and has no subquery.
create function add_activities(
  organization uuid,
  now_ms bigint,
  document_ids text[],
  sequences bigint[],
  ids text[],
  target_entity_ids text[],
  user_ids text[],
  feature_types text[],
  action_types text[],
  given_times bigint[],
  records text[]
) returns text[] language plpgsql as $$
declare
  writable text[];
  activity record;
begin
  perform 1 from organizations
    where organization_key = organization and not disabled and deleted_at is null;
  if not found then
    return '{}';
  end if;
  select coalesce(array_agg(document_id), '{}') into writable from documents
    where organization_key = organization and document_id = any(document_ids) and not disabled;
  -- In the order of the key, so that concurrent calls do not deadlock. Citus keeps the plan of the insert of one row,
  -- and plans that of many again, which takes as long as about eight rows (measured; 32 rows take 0.7 of the time).
  if cardinality(ids) > 8 then
    insert into activities (organization_key, document_id, id, target_entity_id, user_id, feature_type, action_type,
      created_at, written_at, sequence, record, record_bytes)
    select document.organization_key, document.document_id, id, target_entity_id, user_id, feature_type, action_type,
      least(given_at, now_ms), case when given_at < now_ms then now_ms end, sequence, given.record::json,
      octet_length(given.record)
    from documents document join unnest(
      document_ids, sequences, ids, target_entity_ids, user_ids, feature_types, action_types, given_times, records
    ) as given (document_id, sequence, id, target_entity_id, user_id, feature_type, action_type, given_at, record)
      on given.document_id = document.document_id
    where document.organization_key = organization and document.document_id = any(writable)
    order by id collate "C"
    on conflict (organization_key, id) do update set
      document_id = excluded.document_id, target_entity_id = excluded.target_entity_id,
      user_id = excluded.user_id, feature_type = excluded.feature_type, action_type = excluded.action_type,
      record = excluded.record, record_bytes = excluded.record_bytes;
    return writable;
  end if;
  for activity in
    select * from unnest(
      document_ids, sequences, ids, target_entity_ids, user_ids, feature_types, action_types, given_times, records
    ) as given (document_id, sequence, id, target_entity_id, user_id, feature_type, action_type, given_at, record)
    where document_id = any(writable)
    order by id collate "C"
  loop
    insert into activities (organization_key, document_id, id, target_entity_id, user_id, feature_type, action_type,
      created_at, written_at, sequence, record, record_bytes)
    values (organization, activity.document_id, activity.id, activity.target_entity_id, activity.user_id,
      activity.feature_type, activity.action_type, least(activity.given_at, now_ms),
      case when activity.given_at < now_ms then now_ms end, activity.sequence, activity.record::json,
      octet_length(activity.record))
    on conflict (organization_key, id) do update set
      document_id = excluded.document_id, target_entity_id = excluded.target_entity_id,
      user_id = excluded.user_id, feature_type = excluded.feature_type, action_type = excluded.action_type,
      record = excluded.record, record_bytes = excluded.record_bytes;
  end loop;
  return writable;
end
$$;

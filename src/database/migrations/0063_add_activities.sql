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
  -- and plans that of many anew, which takes as long as about eight rows (measured; 32 rows take 0.7 of the time).
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

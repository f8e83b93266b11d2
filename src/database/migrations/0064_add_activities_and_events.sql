-- Does what add_activities does, and writes an event of each activity to the log of the organization, in the order of
-- the sequences. The position in the log is locked last, as by every other write.
create function add_activities_and_events(
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
  added bigint;
  last_position bigint;
  activity record;
begin
  writable := add_activities(organization, now_ms, document_ids, sequences, ids, target_entity_ids, user_ids,
    feature_types, action_types, given_times, records);
  select count(*) into added from unnest(document_ids) as document_id where document_id = any(writable);
  if added = 0 then
    return writable;
  end if;
  insert into event_positions as known (organization_key, position) values (organization, added)
    on conflict (organization_key) do update set position = known.position + excluded.position
    returning position into last_position;
  for activity in
    select document_id, id, row_number() over (order by sequence) as number
    from unnest(document_ids, sequences, ids) as given (document_id, sequence, id)
    where document_id = any(writable)
  loop
    insert into events (organization_key, position, created_at, kind, document_id, audience, subject)
    values (organization, last_position - added + activity.number, now_ms, 'activity.add', activity.document_id,
      'document', json_build_object('id', activity.id));
  end loop;
  return writable;
end
$$;

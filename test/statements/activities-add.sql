with numbered as materialized (
      select activity.*, nextval('activity_sequence') as sequence, floor(extract(epoch from statement_timestamp()) * 1000)::bigint as now_ms
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[]) as activity
        (document_id, id, target_entity_id, user_id, feature_type, action_type, given_at, record)
    ), written as (
            insert into activities (organization_key, document_id, id, target_entity_id, user_id, feature_type,
      action_type, created_at, written_at, sequence, record, record_bytes)
    select document.organization_key, document.document_id, id, target_entity_id, user_id, feature_type, action_type,
      least(given_at, now_ms), case when given_at < now_ms then now_ms end, sequence, given.record::json,
      octet_length(given.record)
    from documents document join numbered as given on given.document_id = document.document_id
    where document.organization_key = $9::uuid and not document.disabled and (
      select case when organization.deleted_at is not null then 'being deleted'
    when organization.disabled then 'disabled'  end is null
      from organizations organization where organization.organization_key = $10::uuid)
      and document.document_id = any($11::text[])
    order by id collate "C"
    on conflict (organization_key, id) do update set
      document_id = excluded.document_id, target_entity_id = excluded.target_entity_id,
      user_id = excluded.user_id, feature_type = excluded.feature_type, action_type = excluded.action_type,
      record = excluded.record, record_bytes = excluded.record_bytes returning document_id
          )
          select document_id as "documentId" from written;

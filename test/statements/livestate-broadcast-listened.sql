insert into live_states (organization_key, document_id, live_state_id, record,
          record_bytes)
        select document.organization_key, document.document_id, given.live_state_id, given.record::json,
          octet_length(given.record)
        from documents document join unnest(
        $1::text[],
        $2::text[],
        $3::text[]
      ) as given (document_id, live_state_id, record) on given.document_id = document.document_id
    where document.organization_key = $4::uuid and not document.disabled and (
      select case when organization.deleted_at is not null then 'being deleted'
    when organization.disabled then 'disabled'  end is null
      from organizations organization where organization.organization_key = $5::uuid)
        order by document.document_id, given.live_state_id collate "C"
        on conflict (organization_key, document_id, live_state_id) do update set
          record = excluded.record, record_bytes = excluded.record_bytes, updated_at = excluded.updated_at
        returning document_id as "documentId";

insert into event_positions as known (organization_key, position)
      select organization_key, $1::int from organizations where organization_key = $2::uuid
      on conflict (organization_key) do update set position = known.position + excluded.position
      returning position;

insert into events (organization_key, position, created_at, kind, document_id, audience, user_id,
        access_fields, subject, details)
      select organization_key, position, floor(extract(epoch from statement_timestamp()) * 1000)::bigint, kind, document_id, audience, user_id, access_fields::jsonb,
        subject::json, details::json
      from (
      select organization_key from organizations where organization_key = $1::uuid
    ) as organization cross join unnest($2::bigint[],
        $3::text[], $4::text[],
        $5::text[],
        $6::text[],
        $7::text[],
        $8::text[],
        $9::text[])
        as input (position, kind, document_id, audience, user_id, access_fields, subject, details);

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

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
          and exists (select from live_states existing where existing.organization_key = $6::uuid
            and existing.document_id = given.document_id and existing.live_state_id = given.live_state_id)
        order by document.document_id, given.live_state_id collate "C"
        on conflict (organization_key, document_id, live_state_id) do update set
          record = excluded.record, record_bytes = excluded.record_bytes, updated_at = excluded.updated_at
        returning document_id as "documentId", live_state_id as "liveStateDataId";

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
          and exists (select from live_states existing where existing.organization_key = $6::uuid
            and existing.document_id = given.document_id and existing.live_state_id = given.live_state_id)
        order by document.document_id, given.live_state_id collate "C"
        on conflict (organization_key, document_id, live_state_id) do update set
          record = excluded.record, record_bytes = excluded.record_bytes, updated_at = excluded.updated_at
        returning document_id as "documentId", live_state_id as "liveStateDataId";

select coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as block,
      exists (select from organizations where organization_key = $4::uuid) as "hasOrganization",
      $5::text is null or exists (
        select from documents where organization_key = $6::uuid and document_id = $7::text
      ) as "hasDocument";

select * from (
      select organization_id as "organizationId",
        (exists (select 1 from document_purges
          where document_purges.organization_key = $1::uuid)
        or exists (select 1 from user_data_deletions deletion
          where deletion.workspace_id = organizations.workspace_id and deletion.stage <> 'done')) as "hasPurges",
        exists (select 1 from documents
          where documents.organization_key = $2::uuid and documents.disabled) as "hasDisabledDocuments"
      from organizations
      where organization_key = $3::uuid
    ) as organization where "hasPurges" or "hasDisabledDocuments";

select record::text as record from live_states
      where organization_key = $1::uuid and document_id = $2::text and live_state_id = $3::text for update;

select from documents where organization_key = $1::uuid and document_id = $2::text for no key update;

select count(*)::int as count from live_states
      where organization_key = $1::uuid and document_id = $2::text and live_state_id <> $3::text
        and not coalesce((
    select ((live_states.updated_at <= document_purges.deleted_at or live_states.updated_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $4::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(live_states.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $5::uuid
      and document_purges.document_id = live_states.document_id), false);

insert into live_states (organization_key, document_id, live_state_id, record, record_bytes)
      values ($1::uuid, $2::text, $3::text, '{}', 2)
      on conflict do nothing;

select record::text as record from live_states
      where organization_key = $1::uuid and document_id = $2::text and live_state_id = $3::text for update;

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
          and exists (select from live_states existing where existing.organization_key = $6::uuid
            and existing.document_id = given.document_id and existing.live_state_id = given.live_state_id)
        order by document.document_id, given.live_state_id collate "C"
        on conflict (organization_key, document_id, live_state_id) do update set
          record = excluded.record, record_bytes = excluded.record_bytes, updated_at = excluded.updated_at
        returning document_id as "documentId", live_state_id as "liveStateDataId";

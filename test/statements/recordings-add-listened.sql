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

insert into recordings (organization_key, document_id, id, user_id, created_at, sequence, latest_version,
        record, record_bytes)
      select $1::uuid, $2::text, id, user_id, floor(extract(epoch from statement_timestamp()) * 1000)::bigint, sequence, 1, record::json,
        octet_length(record)
      from (
        select recording.*, nextval('recording_sequence') as sequence
        from unnest(
          $3::text[],
          $4::text[],
          $5::text[]
        ) with ordinality as recording (id, user_id, record, place)
        order by place
      ) as in_order
      order by id collate "C"
      on conflict (organization_key, id) do update set
        document_id = excluded.document_id, user_id = excluded.user_id,
        latest_version = recordings.latest_version + 1,
        record = excluded.record, record_bytes = excluded.record_bytes
      where recordings.record::text <> excluded.record::text;

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

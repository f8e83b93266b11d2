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

select id, document_id as "documentId", access_fields as "accessFields",
          coalesce((
            select json_agg(json_build_object(
              'userId', inbox.user_id, 'readAt', inbox.read_at, 'archivedAt', inbox.archived_at)) from (
              select recipient.user_id, recipient.read_at, recipient.archived_at
              from notification_recipients recipient
              where recipient.organization_key = $1::uuid and recipient.sequence = notification.sequence
                and (recipient.in_inbox or recipient.archived_at is not null)
                
              order by recipient.user_id limit $2::int
            ) as inbox
          ), '[]') as inboxes
        from notifications notification
        where notification.organization_key = $3::uuid and notification.id = any($4::text[])
        order by created_at, sequence;

insert into notifications (organization_key, id, document_id, location_id, user_id,
        notify_all, created_at, written_at, sequence, record, record_bytes, access_fields, subjects)
      select organization_key, id, document_id, location_id, user_id, notify_all, created_at, written_at, sequence,
        record::json, octet_length(record), access_fields::jsonb, subjects::text[]
      from (
      select organization_key from organizations where organization_key = $1::uuid
    ) as organization cross join unnest(
      $2::text[],
      $3::text[],
      $4::text[],
      $5::text[],
      $6::boolean[],
      $7::bigint[],
      $8::bigint[],
      $9::bigint[],
      $10::text[],
      $11::text[],
      $12::text[]
    ) as input (id, document_id, location_id, user_id, notify_all, created_at, written_at, sequence, record,
      access_fields, subjects) order by id collate "C"
      on conflict (organization_key, id) do update set
        document_id = excluded.document_id, location_id = excluded.location_id, user_id = excluded.user_id,
        notify_all = excluded.notify_all,
        record = excluded.record, record_bytes = excluded.record_bytes,
        access_fields = excluded.access_fields, subjects = excluded.subjects
      returning id, created_at as "createdAt", written_at as "writtenAt", sequence;

insert into notification_recipients (organization_key, sequence, user_id, document_id, location_id, created_at,
        written_at)
      select organization_key, sequence, user_id, document_id, location_id, created_at, written_at
      from (
      select organization_key from organizations where organization_key = $1::uuid
    ) as organization cross join (select * from (
      select notification.*, named.user_id, true as is_named
      from unnest(
      $2::bigint[],
      $3::text[],
      $4::text[],
      $5::bigint[],
      $6::bigint[],
      $7::text[],
      $8::boolean[]
    ) as notification (sequence, document_id, location_id, created_at, written_at, action_user_id, notify_all) join unnest(
      $9::bigint[],
      $10::text[]
    ) as named (sequence, user_id) using (sequence)
      union all
      select notification.*, users.user_id, false
      from unnest(
      $11::bigint[],
      $12::text[],
      $13::text[],
      $14::bigint[],
      $15::bigint[],
      $16::text[],
      $17::boolean[]
    ) as notification (sequence, document_id, location_id, created_at, written_at, action_user_id, notify_all) join users on users.organization_key = $18::uuid
        and users.user_id <> notification.action_user_id and exists (select 1 from grants
    where grants.organization_key = $19::uuid and grants.resource_type = 'organization' and grants.resource_id = '' and (grants.is_added or (grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp()))) and grants.user_id = users.user_id offset 0)
      where notify_all and not exists (select from unnest(
      $20::bigint[],
      $21::text[]
    ) as named (sequence, user_id)
        where named.sequence = notification.sequence and named.user_id = users.user_id)
    ) as candidate
    where coalesce((select inbox from notification_configs config
    where config.organization_key = $22::uuid and config.document_id = candidate.document_id
      and config.user_id = candidate.user_id), (select inbox from notification_configs config
    where config.organization_key = $23::uuid and config.document_id = ''
      and config.user_id = candidate.user_id), 'ALL')
    = any(case when is_named then array['ALL', 'MINE'] else array['ALL'] end)) as recipient
      order by created_at, sequence, user_id
      on conflict (organization_key, sequence, user_id) do update set
        document_id = excluded.document_id, location_id = excluded.location_id
      where (notification_recipients.document_id, notification_recipients.location_id)
        is distinct from (excluded.document_id, excluded.location_id);

select id, document_id as "documentId", access_fields as "accessFields",
          coalesce((
            select json_agg(json_build_object(
              'userId', inbox.user_id, 'readAt', inbox.read_at, 'archivedAt', inbox.archived_at)) from (
              select recipient.user_id, recipient.read_at, recipient.archived_at
              from notification_recipients recipient
              where recipient.organization_key = $1::uuid and recipient.sequence = notification.sequence
                and (recipient.in_inbox or recipient.archived_at is not null)
                
              order by recipient.user_id limit $2::int
            ) as inbox
          ), '[]') as inboxes
        from notifications notification
        where notification.organization_key = $3::uuid and notification.id = any($4::text[])
        order by created_at, sequence;

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

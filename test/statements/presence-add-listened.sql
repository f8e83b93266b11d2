insert into presence (organization_key, document_id, user_id, name, email, status, last_active,
        heartbeat_at)
      select document.organization_key, document.document_id, given.user_id, given.name::json, given.email::json,
        given.status, (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint), case when given.source = 'backend' then (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint) end
      from documents document join unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as given (document_id, user_id, name, email, status, source) on given.document_id = document.document_id
    where document.organization_key = $7::uuid and not document.disabled and (
      select case when organization.deleted_at is not null then 'being deleted'
    when organization.disabled then 'disabled'  end is null
      from organizations organization where organization.organization_key = $8::uuid)
      order by document.document_id, given.user_id collate "C"
      on conflict (organization_key, document_id, user_id) do update set 
  name = coalesce(excluded.name, case when presence.last_active > excluded.last_active - 24 * 60 * 60 * 1000 then presence.name end),
  email = coalesce(excluded.email, case when presence.last_active > excluded.last_active - 24 * 60 * 60 * 1000 then presence.email end),
  status = excluded.status, last_active = excluded.last_active,
  heartbeat_at = coalesce(excluded.heartbeat_at, presence.heartbeat_at),
  is_changed = presence.last_active <= excluded.last_active - 10 * 60 * 1000
    or presence.status <> excluded.status
    or (excluded.name is not null and excluded.name::text is distinct from presence.name::text)
    or (excluded.email is not null and excluded.email::text is distinct from presence.email::text)
      returning document_id as "documentId", user_id as "userId", is_changed as "isChanged";

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

select coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as extra,
      coalesce(string_agg('{"timestamp":' || created_at || ',"isRead":'
    || coalesce('true,"readAt":' || read_at, 'false') || coalesce(',"archivedAt":' || archived_at, '')
    || ',' || right(record::text, -1), ',') filter (where is_in_page and bytes <= $4::int), '')
        as records,
      array[max(created_at) filter (where is_in_page and is_last), max(sequence) filter (where is_in_page and is_last)] as last,
      count(*) filter (where is_in_page)::int as length, bool_or(not is_in_page) as has_more,
      bool_or(is_in_page and bytes > $5::int) as is_cut
    from (
      select *, number <= $6::int and bytes - record_bytes < $7::int as is_in_page,
        number = $8::int or bytes >= $9::int as is_last
      from (
        select *, row_number() over place as number, sum(record_bytes) over place as bytes
        from (select created_at, sequence, read_at, archived_at, record, record_bytes from notification_recipients recipient cross join lateral (
      select record, record_bytes from notifications notification
      where notification.organization_key = $10::uuid
        and notification.sequence = recipient.sequence and (exists (select 1 from grants
    where grants.organization_key = $11::uuid and grants.user_id = $12::text
      and grants.resource_type = $13::text and (grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp())) and grants.resource_id = '') and not (select exists (select 1 from documents closed
        where closed.organization_key = $14::uuid and closed.disabled)
      or exists (select 1 from documents closed
        where closed.organization_key = $15::uuid and closed.access_type = 'restricted')
      or exists (select 1 from folders closed
        where closed.organization_key = $16::uuid and closed.effective_access_type = 'restricted')
      or exists (select 1 from document_purges closed where closed.organization_key = $17::uuid)) or (select not document.disabled and (coalesce((
      select case coalesce(document.access_type, coalesce(folder.effective_access_type, $18::text))
        when 'public' then true
        when 'organizationPrivate' then exists (select 1 from grants
    where grants.organization_key = $19::uuid and grants.user_id = $20::text
      and grants.resource_type = $21::text and (grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp())) and grants.resource_id = '') or (select coalesce(jsonb_object_agg(grants.resource_id, jsonb_strip_nulls(jsonb_build_object(
  'accessRole', grants.access_role, 'expiresAt', floor(extract(epoch from grants.expires_at))::bigint))), '{}')
      from grants
    where grants.organization_key = $22::uuid and grants.user_id = $23::text
      and grants.resource_type = $24::text and (grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp()))) ?| folder.path
        else document.access_type is distinct from 'restricted' and (select coalesce(jsonb_object_agg(grants.resource_id, jsonb_strip_nulls(jsonb_build_object(
  'accessRole', grants.access_role, 'expiresAt', floor(extract(epoch from grants.expires_at))::bigint))), '{}')
      from grants
    where grants.organization_key = $25::uuid and grants.user_id = $26::text
      and grants.resource_type = $27::text and (grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp()))) ?| folder.path[case when 'restricted' = 'restricted' then coalesce(folder.definer_depth, 1) else 1 end:] end
      from (select 1 as one) as one left join folders folder
    on folder.organization_key = $28::uuid and folder.folder_id = document.folder_id), false)
    or  exists (select from grants
    where grants.organization_key = $29::uuid and grants.user_id = $30::text
      and grants.resource_type = $31::text and (grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp())) and grants.resource_id = document.document_id))
      from (
      select asked.*, stored.access_type, stored.folder_id, stored.migration_id,
        stored.document_id is not null as is_stored, coalesce(stored.disabled, exists (select 1 as one from document_purges purge
    where purge.organization_key = $32::uuid and purge.document_id = asked.document_id)) as disabled
      from (select notification.document_id as document_id) as asked left join documents stored
        on stored.organization_key = $33::uuid and stored.document_id = asked.document_id
    ) as document)) and true
    and (not (select exists (select 1 from comment_annotations annotation
        where annotation.organization_key = $34::uuid and annotation.viewers is not null)
      or exists (select 1 from private_annotation_tombstones tombstone
        where tombstone.organization_key = $35::uuid)) or
    strpos(notification.record::text, '"notificationSource":"comment"') = 0
    or not (exists (select 1 as one from comment_annotations annotation
      where annotation.organization_key = $36::uuid and annotation.viewers is not null and annotation.id = any((
  select ('{' || trim(both '[]' from (
      jsonb_path_query_array(source.data, '$.annotationId ? (@.type() == "string")')
      || jsonb_path_query_array(source.data, '$.activities[*].annotationId ? (@.type() == "string")'))::text)
    || '}')
  from (select regexp_replace(notification.record::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd\1', 'g')::jsonb -> 'notificationSourceData' as data offset 0) as source
)::text[])
        and not ((annotation.viewers is null or (annotation.viewers -> 'userIds' ? $37::text
    or (annotation.viewers ? 'organization' and exists (select 1 from grants
    where grants.organization_key = $38::uuid and grants.user_id = $39::text
      and grants.resource_type = $40::text and (grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp())) and grants.resource_id = '')))) and true))
    or exists (select 1 as one from private_annotation_tombstones annotation
      left join comment_annotations present
        on present.organization_key = $41::uuid and present.id = annotation.id
      where annotation.organization_key = $42::uuid and annotation.id = any((
  select ('{' || trim(both '[]' from (
      jsonb_path_query_array(source.data, '$.annotationId ? (@.type() == "string")')
      || jsonb_path_query_array(source.data, '$.activities[*].annotationId ? (@.type() == "string")'))::text)
    || '}')
  from (select regexp_replace(notification.record::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd\1', 'g')::jsonb -> 'notificationSourceData' as data offset 0) as source
)::text[]) and present.id is null
        and annotation.is_private))) limit 1
    ) as notification where recipient.organization_key = $43::uuid and recipient.document_id = $44::text and recipient.user_id = $45::text and recipient.in_inbox   order by created_at desc, sequence desc limit $46::int) as candidate
        window place as (rows unbounded preceding)
      ) as numbered
    ) as page;

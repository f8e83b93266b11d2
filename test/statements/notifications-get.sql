select jsonb_build_object('block', coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)),
    'hasHiddenRecords', ((select exists (select 1 from documents closed
        where closed.organization_key = $4::uuid and closed.disabled)
      or exists (select 1 from documents closed
        where closed.organization_key = $5::uuid and closed.access_type <> 'public')
      or exists (select 1 from folders closed
        where closed.organization_key = $6::uuid and closed.effective_access_type <> 'public')
      or exists (select 1 from document_purges closed where closed.organization_key = $7::uuid)) or (select exists (select 1 from comment_annotations annotation
        where annotation.organization_key = $8::uuid and annotation.viewers is not null)
      or exists (select 1 from private_annotation_tombstones tombstone
        where tombstone.organization_key = $9::uuid)))) as extra,
      coalesce(string_agg('{"timestamp":' || created_at || ',"isRead":'
    || coalesce('true,"readAt":' || read_at, 'false') || ',' || right(record::text, -1), ',') filter (where is_in_page and bytes <= $10::int), '')
        as records,
      array[max(created_at) filter (where is_in_page and is_last), max(sequence) filter (where is_in_page and is_last)] as last,
      count(*) filter (where is_in_page)::int as length, bool_or(not is_in_page) as has_more,
      bool_or(is_in_page and bytes > $11::int) as is_cut
    from (
      select *, number <= $12::int and bytes - record_bytes < $13::int as is_in_page,
        number = $14::int or bytes >= $15::int as is_last
      from (
        select *, row_number() over place as number, sum(record_bytes) over place as bytes
        from (select created_at, sequence, read_at, record, record_bytes from notification_recipients recipient cross join lateral (
      select record, record_bytes from notifications notification
      where notification.organization_key = $16::uuid
        and notification.sequence = recipient.sequence and true and true
    and true limit 1
    ) as notification where recipient.organization_key = $17::uuid and recipient.document_id = $18::text and recipient.user_id = $19::text and recipient.in_inbox and not ((select exists (select 1 from documents closed
        where closed.organization_key = $20::uuid and closed.disabled)
      or exists (select 1 from documents closed
        where closed.organization_key = $21::uuid and closed.access_type <> 'public')
      or exists (select 1 from folders closed
        where closed.organization_key = $22::uuid and closed.effective_access_type <> 'public')
      or exists (select 1 from document_purges closed where closed.organization_key = $23::uuid)) or (select exists (select 1 from comment_annotations annotation
        where annotation.organization_key = $24::uuid and annotation.viewers is not null)
      or exists (select 1 from private_annotation_tombstones tombstone
        where tombstone.organization_key = $25::uuid)))   order by created_at desc, sequence desc limit $26::int) as candidate
        window place as (rows unbounded preceding)
      ) as numbered
    ) as page;

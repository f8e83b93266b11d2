select coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as extra,
      coalesce(string_agg('{"liveStateDataId":' || to_json(live_state_id)::text || ',"data":' || record::text
        || ',"lastUpdated":' || updated_at || '}', ',') filter (where is_in_page and bytes <= $4::int), '')
        as records,
      array[max(live_state_id) filter (where is_in_page and is_last)] as last,
      count(*) filter (where is_in_page)::int as length, bool_or(not is_in_page) as has_more,
      bool_or(is_in_page and bytes > $5::int) as is_cut
    from (
      select *, number <= $6::int and bytes - record_bytes < $7::int as is_in_page,
        number = $8::int or bytes >= $9::int as is_last
      from (
        select *, row_number() over place as number, sum(record_bytes) over place as bytes
        from (select live_state_id, updated_at, record, record_bytes from live_states where organization_key = $10::uuid and document_id = $11::text    order by live_state_id asc limit $12::int) as candidate
        window place as (rows unbounded preceding)
      ) as numbered
    ) as page;

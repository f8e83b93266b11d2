select coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as block,
        string_agg(entry, ',') as users
      from (
        select '{' || '"userId":' || to_json(user_id) || coalesce(',"name":' || name, '') || coalesce(',"email":' || email, '')
    || ',"status":"' || case when last_active > (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint) - 10 * 60 * 1000 and last_active <= (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint) + $4::bigint then status else 'offline' end || '","lastActive":' || last_active || '}' as entry from presence
        where organization_key = $5::uuid and document_id = $6::text and presence.last_active > (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint) - 24 * 60 * 60 * 1000 and presence.last_active <= (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint) + $7::bigint
          
        order by user_id
      ) as entries;

select distinct editor_id as "editorId" from crdt_updates
      where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text order by editor_id;

select
    coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as block,
    (select '{"lastUpdate":"'
    || to_char(to_timestamp(updated_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","lastUpdatedBy":' || coalesce((select to_json(user_id)::text from crdt_authors
      where organization_key = $4::uuid and document_id = $5::text and crdt_authors.editor_id = crdt_documents.editor_id
        and crdt_authors.id = updated_by), 'null')
    || ',"sessionId":null,' || coalesce('"schema":' || editor_schema::text || ',', '') || right(record::text, -1) from crdt_documents
      where organization_key = $6::uuid and document_id = $7::text and editor_id = $8::text) as record;

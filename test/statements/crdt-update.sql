select
        coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as block,
        type, content_key as "contentKey", version, client_id as "clientId", state, attributions,
        array(select id::text from crdt_updates where organization_key = $4::uuid and document_id = $5::text and editor_id = $6::text
    and crdt_updates.client_id = crdt_documents.client_id  order by id) as "updateIds",
    array(select yjs_update from crdt_updates where organization_key = $7::uuid and document_id = $8::text and editor_id = $9::text
    and crdt_updates.client_id = crdt_documents.client_id  order by id) as updates,
    array(select author_id::text from crdt_updates where organization_key = $10::uuid and document_id = $11::text and editor_id = $12::text
    and crdt_updates.client_id = crdt_documents.client_id  order by id) as "authorIds"
      from (select) as always
      left join crdt_documents on organization_key = $13::uuid and document_id = $14::text and editor_id = $15::text and not coalesce((
    select ((crdt_documents.created_at <= document_purges.deleted_at or crdt_documents.created_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $16::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(crdt_documents.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $17::uuid
      and document_purges.document_id = crdt_documents.document_id), false);

select sequence, (record -> 'anchor')::text as anchor,
        (record -> 'anchorState')::text as "anchorState", (record -> 'anchorText')::text as "anchorText"
      from comment_annotations annotation
      where organization_key = $1::uuid and document_id = $2::text
        and anchor_editor_id = any($3::text[])
        and not coalesce((
    select ((annotation.written_at <= document_purges.deleted_at or annotation.written_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $4::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(annotation.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $5::uuid
      and document_purges.document_id = annotation.document_id), false)
      order by created_at, sequence;

update crdt_documents set version = version + 1, state = $1::bytea,
      attributions = $2::bytea, updated_by = $3::uuid,
      recent_authors = array(select distinct unnest(recent_authors || $4::uuid[])),
      record = $5::text::json, record_bytes = octet_length($6::text), updated_at = floor(extract(epoch from statement_timestamp()) * 1000)::bigint
    where organization_key = $7::uuid and document_id = $8::text and editor_id = $9::text and version = $10::bigint and client_id = $11::bigint
      and not coalesce((
    select ((crdt_documents.created_at <= document_purges.deleted_at or crdt_documents.created_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $12::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(crdt_documents.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $13::uuid
      and document_purges.document_id = crdt_documents.document_id), false)
      and coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $14::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $15::uuid and documents.document_id = $16::text
      and documents.disabled order by documents.document_id limit 1)) is null
    returning editor_id;

select workspaces.events_since as since, workspaces.events_until as until
      from organizations join workspaces on workspaces.id = organizations.workspace_id
      where organizations.organization_key = $1::uuid and organizations.deleted_at is null
        and workspaces.events_until is not null;

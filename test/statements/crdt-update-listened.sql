select
        coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as block,
        (select workspace_id::text from organizations where organization_key = $4::uuid) as "workspaceId",
        type, content_key as "contentKey", version, client_id as "clientId", state, attributions,
        array(select id::text from crdt_updates where organization_key = $5::uuid and document_id = $6::text and editor_id = $7::text
    and crdt_updates.client_id = crdt_documents.client_id  order by id) as "updateIds",
    array(select yjs_update from crdt_updates where organization_key = $8::uuid and document_id = $9::text and editor_id = $10::text
    and crdt_updates.client_id = crdt_documents.client_id  order by id) as updates,
    array(select author_id::text from crdt_updates where organization_key = $11::uuid and document_id = $12::text and editor_id = $13::text
    and crdt_updates.client_id = crdt_documents.client_id  order by id) as "authorIds"
      from (select) as always
      left join crdt_documents on organization_key = $14::uuid and document_id = $15::text and editor_id = $16::text and not coalesce((
    select ((crdt_documents.created_at <= document_purges.deleted_at or crdt_documents.created_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $17::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(crdt_documents.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $18::uuid
      and document_purges.document_id = crdt_documents.document_id), false);

select sequence, anchor::text as fields
      from comment_annotations annotation
      where organization_key = $1::uuid and document_id = $2::text
        and anchor_editor_id = any($3::text[])
        and not coalesce((
    select ((annotation.written_at <= document_purges.deleted_at or annotation.written_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $4::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(annotation.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $5::uuid
      and document_purges.document_id = annotation.document_id), false)
      order by created_at, sequence;

with edited as materialized (
        select organization_key, document_id, editor_id from crdt_documents
        where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text and not coalesce((
    select ((crdt_documents.created_at <= document_purges.deleted_at or crdt_documents.created_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $4::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(crdt_documents.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $5::uuid
      and document_purges.document_id = crdt_documents.document_id), false)
      )
      insert into crdt_edits (organization_key, document_id, editor_id, since, changed_at, interval_ms)
      select edited.organization_key, document_id, editor_id, floor(extract(epoch from statement_timestamp()) * 1000)::bigint, floor(extract(epoch from statement_timestamp()) * 1000)::bigint,
        workspace.automatic_version_minutes * 60000
      from edited
      join organizations organization on organization.organization_key = edited.organization_key
      join workspaces workspace on workspace.id = organization.workspace_id
      where organization.organization_key = $6::uuid and workspace.automatic_version_minutes > 0
      on conflict (organization_key, document_id, editor_id) do update
        set changed_at = excluded.changed_at, interval_ms = excluded.interval_ms, is_left = false
      returning since = changed_at as "isNew";

select client_id as "clientId", version, octet_length(state) as bytes,
        left(right(record::text, -length($1::text)), 10)
          = any(array['"data":"",', '"data":{},', '"data":[],']) as "isEmpty"
      from crdt_documents
      where organization_key = $2::uuid and document_id = $3::text and editor_id = $4::text and not coalesce((
    select ((crdt_documents.created_at <= document_purges.deleted_at or crdt_documents.created_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $5::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(crdt_documents.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $6::uuid
      and document_purges.document_id = crdt_documents.document_id), false) for no key update;

select id from crdt_versions where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text and client_id = $4::bigint
      and document_version = $5::bigint limit 1;

delete from crdt_versions where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text and expires_at is not null and id in (
      select id from (
        select id, row_number() over newest_first as number, sum(octet_length(state)) over newest_first as bytes
        from crdt_versions where organization_key = $4::uuid and document_id = $5::text and editor_id = $6::text and expires_at is not null
        window newest_first as (order by created_at desc)
      ) as numbered
      where number > $7::int or bytes > $8::bigint);

select workspace.automatic_version_days as days
      from organizations organization join workspaces workspace on workspace.id = organization.workspace_id
      where organization.organization_key = $1::uuid;

delete from crdt_versions where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text and id = $4::text and client_id <> $5::bigint;

select max(created_at) as time from crdt_versions
      where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text and client_id = $4::bigint;

insert into crdt_versions (organization_key, document_id, editor_id, id, client_id, name, document_version,
        state, record, authors, created_at, expires_at)
      select organization_key, document_id, editor_id, $1::text, client_id, $2::text, version, state,
        ('{' || right(record::text, -length($3::text)))::json, recent_authors,
        greatest(floor(extract(epoch from statement_timestamp()) * 1000)::bigint, $4::bigint),
        floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $5::int * 86400000::bigint
      from crdt_documents where organization_key = $6::uuid and document_id = $7::text and editor_id = $8::text and client_id = $9::bigint
      on conflict do nothing returning id;

update crdt_documents set recent_authors = '{}' where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text;

select workspaces.events_since as since, workspaces.events_until as until
      from organizations join workspaces on workspaces.id = organizations.workspace_id
      where organizations.organization_key = $1::uuid and organizations.deleted_at is null
        and workspaces.events_until is not null;

select created_at as time from crdt_versions where organization_key = $1::uuid and document_id = $2::text and editor_id = $3::text and expires_at is not null
      order by created_at desc limit 2;

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

insert into crdt_unreported_changes (organization_key, document_id, editor_id)
    select changed.organization_key, changed.document_id, changed.editor_id from crdt_documents as changed
    where changed.organization_key = $1::uuid and changed.document_id = $2::text
      and changed.editor_id = $3::text
    order by changed.organization_key, changed.document_id, changed.editor_id
    on conflict (organization_key, document_id, editor_id) do nothing;

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

select sequence, anchor::text as fields
      from comment_annotations annotation
      where organization_key = $1::uuid and document_id = $2::text
        and anchor_editor_id = any($3::text[])
        and not coalesce((
    select ((annotation.written_at <= document_purges.deleted_at or annotation.written_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $4::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(annotation.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $5::uuid
      and document_purges.document_id = annotation.document_id), false)
      order by created_at, sequence;

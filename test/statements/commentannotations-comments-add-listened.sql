select annotation.id, annotation.sequence, annotation.created_at as "createdAt",
        last_comment_id as "lastCommentId", annotation.record::text as record, floor(extract(epoch from statement_timestamp()) * 1000)::bigint as "nowMs",
        coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as block
      from comment_annotations annotation
      where annotation.organization_key = $4::uuid and annotation.document_id = $5::text and annotation.id = $6::text 
        and not coalesce((
    select ((annotation.written_at <= document_purges.deleted_at or annotation.written_at > floor(extract(epoch from statement_timestamp()) * 1000)::bigint + $7::bigint) or (age((document_purges.deleted_in)::xid) >= 0 and age(annotation.xmin) > age((document_purges.deleted_in)::xid))) from document_purges
    where document_purges.organization_key = $8::uuid
      and document_purges.document_id = annotation.document_id), false)
      order by created_at, sequence limit $9::int for update;

with input as materialized (
        select comment.*, annotation.document_id, annotation.created_at, annotation.written_at,
          nextval('comment_sequence') as sequence
        from unnest(
          $1::bigint[],
          $2::bigint[],
          $3::bigint[],
          $4::text[],
          $5::boolean[],
          $6::boolean[],
          $7::text[],
    $8::text[],
    $9::boolean[],
    $10::boolean[],
    $11::boolean[],
    $12::text[]
        ) with ordinality as comment (annotation_sequence, id, dated_at, last_updated, is_text_available, is_updated,
          user_id, tagged, has_attachments, has_tagged_users, has_agent, record, place)
        join comment_annotations annotation on annotation.organization_key = $13::uuid
          and annotation.sequence = comment.annotation_sequence
        order by place
      ), new_comment as (
        insert into comments (organization_key, annotation_sequence, id, sequence, document_id, written_at, created_at,
          dated_at, last_updated, is_text_available, is_updated, user_id, tagged_user_ids, has_attachments,
          has_tagged_users, has_agent, record, record_bytes)
        select organization_key, annotation_sequence, id, sequence, document_id, written_at, $14::bigint,
          dated_at, last_updated, is_text_available, is_updated, user_id,
          array(select json_array_elements_text(tagged::json)), has_attachments, has_tagged_users, has_agent,
          record::json, octet_length(record)
        from (
      select organization_key from organizations where organization_key = $15::uuid
    ) as organization cross join input
      ), new_user as (
        insert into comment_users (organization_key, annotation_sequence, role, user_id, document_id, created_at,
          written_at)
        select organization_key, annotation_sequence, role, user_id, document_id, created_at, written_at
        from (
      select organization_key from organizations where organization_key = $16::uuid
    ) as organization cross join (
      select annotation_sequence, 'participant' as role, user_id, document_id, created_at, written_at from input
      union
      select annotation_sequence, 'mentioned', json_array_elements_text(tagged::json), document_id, created_at,
        written_at
      from input
    ) as named
        on conflict do nothing
      ), reading as (
        insert into comment_reads (organization_key, annotation_sequence, user_id, latest_comment, read_at, document_id,
          written_at)
        select organization_key, annotation_sequence, user_id, latest_comment, $17::bigint, document_id, written_at
        from (
      select organization_key from organizations where organization_key = $18::uuid
    ) as organization cross join (
      select annotation_sequence, user_id, max(sequence) as latest_comment, document_id, written_at
      from input group by annotation_sequence, user_id, document_id, written_at
    ) as author
        on conflict (organization_key, annotation_sequence, user_id) do update
          set latest_comment = excluded.latest_comment, read_at = excluded.read_at
      )
      update comment_annotations annotation set
        updated_at = $19::bigint, latest_comment = total.sequence,
        last_comment_id = greatest(last_comment_id, total.id), record_bytes = record_bytes + total.bytes
      from (
        select annotation_sequence, max(sequence) as sequence, max(id) as id,
          sum(octet_length(record) + 350)::int as bytes
        from input group by annotation_sequence
      ) as total
      where annotation.organization_key = $20::uuid and annotation.sequence = total.annotation_sequence
      returning record_bytes as bytes;

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

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

select id from comment_annotations
      where organization_key = $1::uuid and id = any($2::text[]);

insert into comment_annotations (organization_key, document_id, id, sequence,
        created_at, updated_at, written_at, location_id, anchor_editor_id, anchor, status_id, user_id, resolved_by, suggestion_status, agent_id, agent_type, agent_source, execution_id, agent_url, access_fields, viewers, record, record_bytes)
      select $1::uuid, $2::text, id, sequence, least(created_at, floor(extract(epoch from statement_timestamp()) * 1000)::bigint),
        least(updated_at, floor(extract(epoch from statement_timestamp()) * 1000)::bigint), floor(extract(epoch from statement_timestamp()) * 1000)::bigint, in_order.location_id, in_order.anchor_editor_id, in_order.anchor::json, in_order.status_id, in_order.user_id, in_order.resolved_by, in_order.suggestion_status, in_order.agent_id, in_order.agent_type, in_order.agent_source, in_order.execution_id, in_order.agent_url, in_order.access_fields::jsonb, in_order.viewers::jsonb, in_order.record::json, octet_length(record)
      from (
        select annotation.*, nextval('comment_sequence') as sequence
        from unnest(
          $3::text[],
          $4::bigint[],
          $5::bigint[],
          $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[]
        ) with ordinality as annotation (id, created_at, updated_at, location_id, anchor_editor_id, anchor, status_id, user_id, resolved_by, suggestion_status, agent_id, agent_type, agent_source, execution_id, agent_url, access_fields, viewers, record, place)
        order by place
      ) as in_order
      order by id collate "C"
      on conflict do nothing
      returning id, sequence, written_at as "nowMs";

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
        updated_at = updated_at, latest_comment = total.sequence,
        last_comment_id = greatest(last_comment_id, total.id), record_bytes = record_bytes + total.bytes
      from (
        select annotation_sequence, max(sequence) as sequence, max(id) as id,
          sum(octet_length(record) + 350)::int as bytes
        from input group by annotation_sequence
      ) as total
      where annotation.organization_key = $19::uuid and annotation.sequence = total.annotation_sequence
      returning record_bytes as bytes;

with counter as (
        insert into annotation_counters (organization_key, document_id, last_number, written_at)
        values ($1::uuid, $2::text, $3::int, floor(extract(epoch from statement_timestamp()) * 1000)::bigint)
        on conflict (organization_key, document_id) do update set
          last_number = annotation_counters.last_number + excluded.last_number, written_at = excluded.written_at
        returning last_number
      )
      update comment_annotations set annotation_number = counter.last_number - $4::int + place
      from counter, unnest($5::bigint[]) with ordinality as numbered (sequence, place)
      where comment_annotations.organization_key = $6::uuid
        and comment_annotations.sequence = numbered.sequence
      returning counter.last_number as "lastNumber";

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

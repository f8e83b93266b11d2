select coalesce((select case when organizations.deleted_at is not null then 'being deleted'
    when organizations.disabled then 'disabled'  end from organizations
    where organizations.organization_key = $1::uuid), (select case when documents.disabled then
    case when documents.migration_id is null then 'document ' else 'migrating ' end || documents.document_id end from documents
    where documents.organization_key = $2::uuid and documents.document_id = $3::text
      and documents.disabled order by documents.document_id limit 1)) as extra,
      coalesce(string_agg('{"createdAt":' || page.created_at || ',"lastUpdated":' || page.updated_at
    || ',"annotationNumber":' || page.annotation_number || ',"annotationIndex":' || (page.number + $4::int)
    || case
      when page.agent_source is null and page.resolved_by is null and page.viewers is null then ',"sourceType":"rest-api","visibilityConfig":{"type":"public"},"hasDraftComments":false,'
      else ',"sourceType":"' || case when page.agent_source is null then 'rest-api' else 'agent' end
        || '",' || case when page.viewers is null then '"visibilityConfig":{"type":"public"},' else '' end
        || '"hasDraftComments":false,'
        || coalesce('"resolvedByUser":{"userId":' || to_json(page.resolved_by)::text || '},', '')
      end
    || '"comments":[' || (coalesce((
      select string_agg(serialized, ',') from (
        select '{"commentId":' || comment.id || ',"createdAt":' || comment.dated_at
    || ',"lastUpdated":"' || comment.last_updated
    || case
      when comment.is_updated or not comment.is_text_available or comment.has_agent or comment.had_reactions then
        '","type":"text","status":"' || case when comment.is_updated then 'updated' else 'added' end
        || '","isDraft":false,"isCommentTextAvailable":' || comment.is_text_available::text || ','
        || case when comment.has_agent then '"sourceType":"agent",' else '' end
        || case when comment.has_attachments then '' else '"attachments":[],' end
        || case when comment.has_tagged_users then '' else '"taggedUserContacts":[],' end
        || case when comment.had_reactions then (
    select '"reactions":[' || coalesce(
        string_agg('{"reaction":' || icon || ',"userIds":[' || user_ids || ']}', ',' order by first), '')
      || '],"reactionAnnotationIds":[' || coalesce(string_agg('"' || id || '"', ',' order by first), '')
      || '],"reactionAnnotations":[' || coalesce(
        string_agg('{"annotationId":"' || id || '","type":"reaction","icon":' || icon || ',"commentAnnotationId":'
          || to_json(page.id)::text || ',"lastUpdated":' || last_updated || ',"fromUsers":[' || from_users || ']}', ','
          order by first), '') || '],'
    from (
      select to_json(reaction)::text as icon, min(sequence) as first, max(created_at) as last_updated,
        left(encode(sha256(convert_to(
          organization_key::text || ' ' || annotation_sequence || ' ' || comment_id || ' ' || reaction, 'UTF8'
        )), 'hex'), 32) as id,
        string_agg(to_json(user_id)::text, ',' order by sequence) as user_ids,
        string_agg('{"lastUpdated":' || created_at || ',"from":'
          || coalesce(record::text, '{"userId":' || to_json(user_id)::text || '}') || '}', ',' order by sequence)
          as from_users
      from comment_reactions reaction
      where reaction.organization_key = $5::uuid
        and reaction.annotation_sequence = comment.annotation_sequence and reaction.comment_id = comment.id
      group by organization_key, annotation_sequence, comment_id, reaction
    ) as reaction
  ) else '"reactions":[],"reactionAnnotationIds":[],"reactionAnnotations":[],' end
      when not comment.has_attachments and comment.has_tagged_users then '","type":"text","status":"added","isDraft":false,"isCommentTextAvailable":true,' || '"reactions":[],"reactionAnnotationIds":[],"reactionAnnotations":[],' || '"attachments":[],'
      when not comment.has_attachments then '","type":"text","status":"added","isDraft":false,"isCommentTextAvailable":true,' || '"reactions":[],"reactionAnnotationIds":[],"reactionAnnotations":[],' || '"attachments":[],' || '"taggedUserContacts":[],'
      when comment.has_tagged_users then '","type":"text","status":"added","isDraft":false,"isCommentTextAvailable":true,' || '"reactions":[],"reactionAnnotationIds":[],"reactionAnnotations":[],'
      else '","type":"text","status":"added","isDraft":false,"isCommentTextAvailable":true,' || '"reactions":[],"reactionAnnotationIds":[],"reactionAnnotations":[],' || '"taggedUserContacts":[],'
    end || right(comment.record::text, -1) as serialized from comments comment
        where comment.organization_key = $6::uuid and comment.annotation_sequence = page.sequence
        order by comment.dated_at, comment.sequence
      ) as in_order
    ), '') || ('],' || right(page.record::text, -1))), ',') filter (where is_in_page and bytes <= $7::int), '')
        as records,
      array[max(created_at) filter (where is_in_page and is_last), max(sequence) filter (where is_in_page and is_last)] as last,
      count(*) filter (where is_in_page)::int as length, bool_or(not is_in_page) as has_more,
      bool_or(is_in_page and bytes > $8::int) as is_cut
    from (
      select *, number <= $9::int and bytes - record_bytes < $10::int as is_in_page,
        number = $11::int or bytes >= $12::int as is_last
      from (
        select *, row_number() over place as number, sum(record_bytes) over place as bytes
        from (select created_at, sequence, id, updated_at, annotation_number, agent_source, resolved_by, viewers, record, record_bytes from comment_annotations annotation where annotation.organization_key = $13::uuid and annotation.document_id = $14::text   order by created_at desc, sequence desc limit $15::int) as candidate
        window place as (rows unbounded preceding)
      ) as numbered
    ) as page;

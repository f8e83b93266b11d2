import type { OrganizationKey } from "../../database/keys.ts";
import { EMPTY, integer, type Sql, sql, uuid } from "../../database/sql.ts";

// The JSON texts of serialized annotations and comments: the fields that the service adds, then the record as
// it was sent. Only these expressions add fields. They make a page of 50 annotations with 5 comments each half as long
// again as its records, and take 3 to 8 % of PostgreSQL's processor time for it.

const NO_REACTIONS = sql`'"reactions":[],"reactionAnnotationIds":[],"reactionAnnotations":[],'`;
const NO_ATTACHMENTS = sql`'"attachments":[],'`;
const NO_TAGGED_USERS = sql`'"taggedUserContacts":[],'`;
/** Added fields of a comment that was never changed or reacted to. PostgreSQL makes each branch one constant. */
const PLAIN = sql`'","type":"text","status":"added","isDraft":false,"isCommentTextAvailable":true,' || ${NO_REACTIONS}`;

/** Returns the reactions to `comment` in the order of the first of each kind. Its users are in their order. */
function reactionsTo(organizationKey: OrganizationKey, annotationId: Sql): Sql {
  return sql`(
    select '"reactions":[' || coalesce(
        string_agg('{"reaction":' || icon || ',"userIds":[' || user_ids || ']}', ',' order by first), '')
      || '],"reactionAnnotationIds":[' || coalesce(string_agg('"' || id || '"', ',' order by first), '')
      || '],"reactionAnnotations":[' || coalesce(
        string_agg('{"annotationId":"' || id || '","type":"reaction","icon":' || icon || ',"commentAnnotationId":'
          || ${annotationId} || ',"lastUpdated":' || last_updated || ',"fromUsers":[' || from_users || ']}', ','
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
      where reaction.organization_key = ${uuid(organizationKey)}
        and reaction.annotation_sequence = comment.annotation_sequence and reaction.comment_id = comment.id
      group by organization_key, annotation_sequence, comment_id, reaction
    ) as reaction
  )`;
}

/** Returns the text of the row `comment` of an annotation, whose ID is given as JSON text. */
export function serializeComment(organizationKey: OrganizationKey, annotationId: Sql): Sql {
  return sql`'{"commentId":' || comment.id || ',"createdAt":' || comment.dated_at
    || ',"lastUpdated":"' || comment.last_updated
    || case
      when comment.is_updated or not comment.is_text_available or comment.has_agent or comment.had_reactions then
        '","type":"text","status":"' || case when comment.is_updated then 'updated' else 'added' end
        || '","isDraft":false,"isCommentTextAvailable":' || comment.is_text_available::text || ','
        || case when comment.has_agent then '"sourceType":"agent",' else '' end
        || case when comment.has_attachments then '' else ${NO_ATTACHMENTS} end
        || case when comment.has_tagged_users then '' else ${NO_TAGGED_USERS} end
        || case when comment.had_reactions then ${reactionsTo(organizationKey, annotationId)} else ${NO_REACTIONS} end
      when not comment.has_attachments and comment.has_tagged_users then ${PLAIN} || ${NO_ATTACHMENTS}
      when not comment.has_attachments then ${PLAIN} || ${NO_ATTACHMENTS} || ${NO_TAGGED_USERS}
      when comment.has_tagged_users then ${PLAIN}
      else ${PLAIN} || ${NO_TAGGED_USERS}
    end || right(comment.record::text, -1)`;
}

/** Columns of an annotation that its text needs besides those of the page. */
export const ANNOTATION_COLUMNS = ["id", "updated_at", "annotation_number", "agent_source", "resolved_by", "viewers"];

/** Added fields of a public annotation that no agent has started and nobody has resolved. */
const PLAIN_ANNOTATION = sql`',"sourceType":"rest-api","visibilityConfig":{"type":"public"},"hasDraftComments":false,'`;

/** Returns the first part of the text of the row `page` of annotations. `further` continues with other fields. */
function annotationHead(further: Sql): Sql {
  return sql`'{"createdAt":' || page.created_at || ',"lastUpdated":' || page.updated_at
    || ',"annotationNumber":' || page.annotation_number ${further}
    || case
      when page.agent_source is null and page.resolved_by is null and page.viewers is null then ${PLAIN_ANNOTATION}
      else ',"sourceType":"' || case when page.agent_source is null then 'rest-api' else 'agent' end
        || '",' || case when page.viewers is null then '"visibilityConfig":{"type":"public"},' else '' end
        || '"hasDraftComments":false,'
        || coalesce('"resolvedByUser":{"userId":' || to_json(page.resolved_by)::text || '},', '')
      end`;
}

/** Returns the text of the row `page` of annotations without comments. */
export function serializeAnnotation(): Sql {
  return sql`${annotationHead(EMPTY)} || right(page.record::text, -1)`;
}

/**
 * Returns the text of the row `page` of annotations with its comments, oldest first, and its place in the list. Each
 * concatenation copies its operands, so the comments are among the last.
 */
export function serializeAnnotationWithComments(organizationKey: OrganizationKey, placesBefore: number): Sql {
  return sql`${annotationHead(sql`|| ',"annotationIndex":' || (page.number + ${integer(placesBefore)})`)}
    || '"comments":[' || (coalesce((
      select string_agg(serialized, ',') from (
        select ${serializeComment(organizationKey, sql`to_json(page.id)::text`)} as serialized from comments comment
        where comment.organization_key = ${uuid(organizationKey)} and comment.annotation_sequence = page.sequence
        order by comment.dated_at, comment.sequence
      ) as in_order
    ), '') || ('],' || right(page.record::text, -1)))`;
}

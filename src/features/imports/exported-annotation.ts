import { isObject } from "../../json/is-object.ts";
import type { ExportedRecord } from "./import-kind.ts";

/**
 * Returns the fields of an exported annotation that are stored. A field that the service sets is left out only if it
 * has the value that the service would set: a draft is rejected, not published.
 */
export function toAnnotation(record: ExportedRecord): ExportedRecord {
  const { comments, visibilityConfig, hasDraftComments, resolvedByUser, context, ...fields } = record;
  const resolvedByUserId = isObject(resolvedByUser) ? resolvedByUser.userId : undefined;
  return {
    ...(resolvedByUserId !== undefined && { resolvedByUserId }),
    ...fields,
    ...(context !== undefined && { context: toContext(context) }),
    ...(visibilityConfig !== undefined && { visibility: visibilityConfig }),
    ...(hasDraftComments === true && { hasDraftComments }),
    ...(comments !== undefined && { comments: mapObjects(comments, toComment) }),
  };
}

/** Returns a context without the texts of its pairs, which the service computes. */
export function toContext(context: unknown): unknown {
  if (!isObject(context) || !("access" in context)) return context;
  const { accessFields: _, ...fields } = context;
  return fields;
}

function toComment(comment: ExportedRecord): ExportedRecord {
  const { type, status, isDraft, sourceType: _s, lastUpdated, attachments, taggedUserContacts, ...others } = comment;
  const { reactions, reactionAnnotations, reactionAnnotationIds: _i, ...fields } = others;
  return {
    ...fields,
    ...(type !== undefined && type !== "text" && { type }),
    ...(status !== undefined && status !== "added" && (status === "updated" ? { isUpdated: true } : { status })),
    ...(isDraft === true && { isDraft }),
    ...(lastUpdated !== undefined && { lastUpdated: toTime(lastUpdated) }),
    ...(!isEmptyList(attachments) && { attachments: withoutFileIds(attachments) }),
    ...(!isEmptyList(taggedUserContacts) && { taggedUserContacts }),
    ...toReactions(reactionAnnotations, reactions),
  };
}

/** Returns attachments as links: the files of the exporting service are not those of this one. */
function withoutFileIds(attachments: unknown): unknown {
  if (!Array.isArray(attachments)) return attachments;
  return attachments.map((one: unknown) =>
    isObject(one) ? { ...one, fileId: undefined, urlExpiresAt: undefined } : one,
  );
}

/** Returns the reactions with their times, if the export has them; otherwise only those of `reactions`. */
function toReactions(annotations: unknown, reactions: unknown): ExportedRecord {
  if (!isEmptyList(annotations)) {
    if (!isListField(annotations, "fromUsers")) return { reactionAnnotations: annotations };
    const given = annotations.flatMap(({ icon: reaction, fromUsers }) =>
      fromUsers.map((each) => (isObject(each) ? { reaction, from: each.from, ...getTime(each.lastUpdated) } : each)),
    );
    return { reactions: given };
  }
  if (isEmptyList(reactions)) return {};
  if (!isListField(reactions, "userIds")) return { reactions };
  return {
    reactions: reactions.flatMap(({ reaction, userIds }) => userIds.map((userId) => ({ reaction, from: { userId } }))),
  };
}

/** Returns whether the value is a list of objects whose `field` is a list. */
function isListField<Field extends string>(
  value: unknown,
  field: Field,
): value is (ExportedRecord & { [Name in Field]: unknown[] })[] {
  return Array.isArray(value) && value.every((each) => isObject(each) && Array.isArray(each[field]));
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function mapObjects(list: unknown, convert: (object: ExportedRecord) => ExportedRecord): unknown {
  return Array.isArray(list) ? list.map((each: unknown) => (isObject(each) ? convert(each) : each)) : list;
}

function getTime(time: unknown): { createdAt?: unknown } {
  return time === undefined ? {} : { createdAt: toTime(time) };
}

/** Returns the milliseconds since the epoch of an ISO 8601 time. Other values stay. */
function toTime(time: unknown): unknown {
  const parsed = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(parsed) ? time : parsed;
}

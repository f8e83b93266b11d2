import Type, { type Static } from "typebox";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, PastTime, User } from "../../contract/schema.ts";
import { changeableAnnotationFields, fixedAnnotationFields, Suggestion } from "../comments/annotations/annotation.ts";
import { importedAnnotationFields, rejectSuggestionsOfOtherTypes } from "../comments/annotations/new-annotation.ts";
import { insertNewAnnotations } from "../comments/annotations/new-annotations.ts";
import { getVisibility, rejectOtherOrganizations } from "../comments/annotations/visibility.ts";
import { NewComment, NewCommentId } from "../comments/comments/comment.ts";
import { rejectLargeAnnotation, rejectRepeatedCommentIds } from "../comments/comments/new-comments.ts";
import { type ImportedReaction, insertImportedReactions } from "../comments/reactions/reaction-queries.ts";
import { findSameReaction } from "../comments/reactions/same-reaction.ts";
import { ensureDocument } from "../implicit-creation/ensure-document.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { toAnnotation } from "./exported-annotation.ts";
import { importKind, type Outcome, parentIdsIn } from "./import-kind.ts";

const Reaction = Type.Object({
  reaction: Identifier,
  from: User,
  createdAt: Type.Optional(PastTime),
});

const Comment = Type.Interface([NewComment], {
  commentId: NewCommentId,
  isUpdated: Type.Optional(Type.Boolean()),
  reactions: Type.Optional(Type.Array(Reaction)),
});

const Item = Type.Object({
  annotationId: Identifier,
  ...fixedAnnotationFields,
  ...changeableAnnotationFields,
  ...importedAnnotationFields,
  /** Null if the author is not known. By default, the first comment's. */
  from: Type.Optional(Type.Union([User, Type.Null()])),
  suggestion: Type.Optional(Suggestion),
  createdAt: Type.Optional(PastTime),
  lastUpdated: Type.Optional(PastTime),
  comments: Type.Array(Comment),
});

/** Annotations with their comments and reactions, and the times of all of them. Triggers nothing. */
export const commentAnnotations = importKind({
  belongsTo: "document",
  batchSize: 100,
  schema: Item,
  convert({ metadata, annotationNumber, annotationIndex: _i, agent: _a, sourceType: _s, ...record }) {
    const item = toAnnotation(record);
    // The service leaves out an author only after the data of the user was deleted.
    const isAuthorDeleted = annotationNumber !== undefined && item.from === undefined;
    return { ...parentIdsIn(metadata), item: { ...item, ...(isAuthorDeleted && { from: null }) } };
  },
  async write({ transaction, workspace }, { organizationId, items }) {
    const scope = openOrganization(transaction, workspace, organizationId);
    const added = new Set<string>();
    for (const [documentId = "", group] of Map.groupBy(items, (each) => each.documentId)) {
      const annotations = group.map(({ item }) => item);
      const ids = annotations.map(({ annotationId }) => annotationId);
      rejectRepeatedIds(ids, "commentAnnotations", "annotationId");
      rejectSuggestionsOfOtherTypes(annotations);
      for (const { visibility } of annotations) rejectOtherOrganizations(visibility, organizationId, "data.visibility");
      for (const { comments } of annotations) rejectRepeatedCommentIds(comments, "comments");
      await ensureDocument(scope, documentId);
      const given = annotations.map(({ comments, visibility, from = comments[0]?.from ?? null, ...annotation }) => ({
        ...annotation,
        ...(from && { from }),
        ...getVisibility(visibility, from ?? undefined),
        commentData: comments.map(({ reactions: _, ...comment }) => comment),
      }));
      const inserted = await insertNewAnnotations(scope, documentId, given);
      const comments = new Map(annotations.map((annotation) => [annotation.annotationId, annotation.comments]));
      const reactions = inserted.flatMap(({ annotation: { annotationId }, position }) =>
        getReactions(comments.get(annotationId) ?? [], position),
      );
      if (reactions.length > 0) rejectLargeAnnotation(await insertImportedReactions(scope, reactions));
      for (const { annotation } of inserted) added.add(annotation.annotationId);
    }
    return items.map(({ item }): Outcome => (added.has(item.annotationId) ? "added" : "existed"));
  },
});

/** Returns the reactions to the comments of an annotation, each once. */
function getReactions(comments: Static<typeof Comment>[], annotation: { sequence: number }): ImportedReaction[] {
  return comments.flatMap(({ commentId, reactions = [] }) => {
    const given = reactions.map(({ reaction }) => reaction);
    const rows = reactions.map(({ reaction, from, createdAt = null }) => ({
      ...{ annotationSequence: annotation.sequence, commentId, reaction: findSameReaction(given, reaction) },
      ...{ userId: from.userId, createdAt, record: JSON.stringify(from) },
    }));
    return [...new Map(rows.map((row) => [JSON.stringify([row.reaction, row.userId]), row])).values()];
  });
}

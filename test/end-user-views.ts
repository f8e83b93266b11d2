import type { Annotation, EndUserModel, Role } from "./end-user-model.ts";

/** What a call has led to: the role that it lacks, the status of another error, or what the response says. */
export type Outcome = { requiredRole: Role } | { error: string } | { data: unknown };

/** A call of a user, of which the model knows the outcome. */
export interface Call {
  user: string;
  path: string;
  request: object;
  /** Returns the outcome by the model, and changes the model as the call changes the service. */
  apply(model: EndUserModel): Outcome;
  /** Returns what the model knows of a successful response. */
  read(result: { data: unknown; accessRole?: Role }): unknown;
}

/** Returns the outcome in the body of a response. */
export function toOutcome(call: Call, body: unknown): Outcome {
  const { result, error } = Object(body);
  if (result) return { data: call.read(result) };
  return error.details.reason === "access_denied"
    ? { requiredRole: error.details.requiredRole }
    : { error: error.status };
}

/** Returns what users read of an annotation. */
export function toView({ comments, visibility: _, readUpTo: _r, organizationId: _o, pair: _p, ...fields }: Annotation) {
  const shown = [...comments].sort(([one], [other]) => one - other);
  return {
    ...{ ...fields, assignee: fields.assignee ?? null, priority: fields.priority ?? null },
    resolvedBy: fields.resolvedBy ?? null,
    comments: shown.map(([id, { author, text, editor = null, reactions }]) => ({
      ...{ id, author, text, editor, reactions: [...reactions].sort() },
    })),
  };
}

/** Returns the same of an annotation as the service returns it. */
export function readAnnotation(record: unknown): ReturnType<typeof toView> {
  const { annotationId, metadata, from, status, assignedTo, priority = null, ...fields } = Object(record);
  return {
    ...{ id: annotationId, documentId: metadata.documentId, author: from.userId },
    ...{ isResolved: status.type === "terminal", assignee: assignedTo?.userId ?? null, priority },
    resolvedBy: fields.resolvedByUserId ?? null,
    comments: readComments(fields.comments),
  };
}

/** Returns what users read of comments, as the service returns them. */
export function readComments(comments: unknown): ReturnType<typeof toView>["comments"] {
  return Array.from(Object(comments), (comment) => {
    const { commentId: id, from, commentText: text, updatedByUserId: editor = null, reactions } = Object(comment);
    return { id, author: from.userId, text, editor, reactions: [...(reactions[0]?.userIds ?? [])].sort() };
  }).sort((one, other) => one.id - other.id);
}

export function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}

/** Returns which items were changed, and which role the others lack. */
export function readItems(data: unknown): { [id: string]: string } {
  return Object.fromEntries(
    Object.entries(Object(data)).map(([id, item]) => {
      const { success, requiredRole = "missing" } = Object(item);
      return [id, success ? "done" : requiredRole];
    }),
  );
}

/** An annotation or one of its comments, which a notification is about. */
export interface NotificationSubject {
  /** Position of the annotation, which is unique in the database and never used again. */
  annotationSequence: number;
  commentId?: number | undefined;
}

/** Returns the text of a subject in the column `subjects`. It has neither quotes nor commas. */
export function toSubjectText({ annotationSequence, commentId }: NotificationSubject): string {
  return commentId === undefined ? String(annotationSequence) : `${annotationSequence}/${commentId}`;
}

/** Returns the text of a PostgreSQL array with the subjects. That of a comment is followed by its annotation. */
export function toSubjectArray(subjects: readonly NotificationSubject[]): string {
  const all = subjects.flatMap(({ annotationSequence, commentId }) => [
    toSubjectText({ annotationSequence, commentId }),
    toSubjectText({ annotationSequence }),
  ]);
  return `{${[...new Set(all)].join(",")}}`;
}

import type { CommentAnnotation } from "../../../api/records.ts";
import type { KnownUser } from "../../../components/UserField.tsx";

/** Returns the authors of a thread and its assignee. */
export function getParticipants({ comments, assignedTo }: CommentAnnotation): KnownUser[] {
  return [...comments.map(({ from }) => from), ...(assignedTo ? [assignedTo] : [])];
}

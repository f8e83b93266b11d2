import type { Static } from "typebox";
import { deniedItem } from "../../../contract/denied-item.ts";
import type { AccessRole } from "../../../contract/end-user.ts";
import { keyedById } from "../../../contract/schema.ts";
import type { CommentResult } from "./comment.ts";

/** Comments that a request has changed, and the roles that its user lacks to change others. */
export interface ChangedComments {
  changed: ReadonlySet<number>;
  denied: ReadonlyMap<number, AccessRole>;
}

export const NO_COMMENTS: ChangedComments = { changed: new Set(), denied: new Map() };

/** Returns the items of a change: of the IDs that were sent or, without any, of all comments of the annotation. */
export function toCommentItems(
  { changed, denied }: ChangedComments,
  commentIds: readonly number[] | undefined,
  message: string,
): Record<string, Static<typeof CommentResult>> {
  return keyedById(
    (commentIds ?? [...changed, ...denied.keys()]).map((id) => {
      const requiredRole = denied.get(id);
      if (requiredRole) return [String(id), { ...deniedItem(requiredRole), id }];
      if (changed.has(id)) return [String(id), { success: true, id, message }];
      return [String(id), { success: false, id, message: "Comment not found." }];
    }),
  );
}

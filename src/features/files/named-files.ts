import { ServiceError } from "../../contract/errors.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { claimFiles, type FileFacts } from "./file-queries.ts";

/** A comment with attachments, of which some name files. */
interface WithAttachments {
  attachments?: object[];
}

/** A comment and its place. */
export interface PlacedComment<Comment extends WithAttachments> {
  annotationSequence: number;
  commentId: number;
  comment: Comment;
}

/** Returns the IDs of the files that attachments name. */
export function getFileIds({ attachments = [] }: WithAttachments): string[] {
  return attachments.flatMap((attachment) => {
    const fileId = "fileId" in attachment ? attachment.fileId : undefined;
    return fileId === undefined ? [] : [String(fileId)];
  });
}

/**
 * Makes the files that comments name belong to them. Returns the comments with what the service knows of the files.
 * Throws NOT_FOUND if a file does not exist, is not uploaded, belongs to another record, or is another user's.
 */
export async function nameFiles<Comment extends WithAttachments>(
  scope: InTransaction<OrganizationScope>,
  placed: readonly PlacedComment<Comment>[],
  userId: string | undefined,
): Promise<readonly PlacedComment<Comment>[]> {
  const claims = placed.flatMap(({ comment, ...place }) => getFileIds(comment).map((fileId) => ({ ...place, fileId })));
  if (claims.length === 0) return placed;
  const found = await claimFiles(scope, claims, userId);
  const claimed = new Set<string>();
  for (const { fileId } of claims) {
    if (!found.has(fileId) || claimed.has(fileId)) throw fileNotFound(fileId);
    claimed.add(fileId);
  }
  return placed.map(({ comment, ...place }) => ({ ...place, comment: withFacts(comment, found) }));
}

function withFacts<Comment extends WithAttachments>(comment: Comment, found: Map<string, FileFacts>): Comment {
  const attachments = comment.attachments?.map((attachment) => {
    const facts = "fileId" in attachment ? found.get(String(attachment.fileId)) : undefined;
    if (!facts) return attachment;
    const { url: _, ...sent }: { url?: unknown } = attachment;
    return { ...sent, fileId: facts.id, name: facts.name, mimeType: facts.contentType, size: facts.size };
  });
  return { ...comment, ...(attachments && { attachments }) };
}

function fileNotFound(fileId: string): ServiceError {
  const which = `File ${JSON.stringify(fileId)} not found`;
  return new ServiceError("not_found", `${which}: it must be uploaded, by the caller, and named by no other record.`);
}

import { getStore, type Session } from "./session.ts";
import { type Store, valueStore } from "./store.ts";

/** A comment, by its place. */
export interface CommentRef {
  documentId: string;
  annotationId: string;
  commentId: number;
}

/** Signed URL of a file, and the time of the service until which it works. */
interface FileUrl {
  url: string;
  urlExpiresAt: number;
}

/** The URLs of the files of a comment that were read again, by `fileId`. */
export interface CommentFilesStore extends Store<ReadonlyMap<string, FileUrl>> {
  /** Reads the comment again for new URLs, once in five minutes at most: the clock of a device may be wrong. */
  renew(): Promise<void>;
}

const RENEWAL_MS = 5 * 60_000;

/** Returns the store of the URLs of a comment's files. */
export function commentFilesStore(session: Session, { commentId, ...place }: CommentRef): CommentFilesStore {
  const { organizationId } = session;
  return getStore(session, ["commentFiles", place.documentId, place.annotationId, commentId], ({ client }) => {
    const urls = valueStore<ReadonlyMap<string, FileUrl>>(new Map());
    let renewal = Promise.resolve();
    let renewedAt = Number.NEGATIVE_INFINITY;
    async function read(): Promise<void> {
      const request = { organizationId, ...place, commentIds: [commentId] };
      const { data } = await client.call("/v2/commentannotations/comments/get", request);
      const attachments = data.flatMap((comment) => comment?.attachments ?? []);
      const read = attachments.flatMap(({ fileId, url, urlExpiresAt }): [string, FileUrl][] =>
        fileId && url && urlExpiresAt ? [[fileId, { url, urlExpiresAt }]] : [],
      );
      urls.set(new Map(read));
    }
    return {
      getState: urls.getState,
      subscribe: urls.subscribe,
      renew() {
        if (Date.now() - renewedAt < RENEWAL_MS) return renewal;
        renewedAt = Date.now();
        renewal = read();
        renewal.catch(() => {
          renewedAt = Number.NEGATIVE_INFINITY;
        });
        return renewal;
      },
    };
  });
}

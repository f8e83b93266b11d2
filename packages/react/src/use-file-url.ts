import { type CommentRef, commentFilesStore } from "@colloquy/client/stores";
import { useSyncExternalStore } from "react";
import type { Attachment } from "./attachment.ts";
import { useSession } from "./provider.tsx";
import { getSafeHref } from "./rich-text.ts";

/** Time before its end at which a URL is renewed. */
const MARGIN_MS = 30_000;

interface FileUrlState {
  /** URL that a link may open. */
  href: string | undefined;
  isExpired(): boolean;
  /** Reads the URL again. Returns the one to use, also if that fails. */
  renew(): Promise<string | undefined>;
}

/** Returns the URL of an attachment of a comment, and how it is renewed if the service has signed it. */
export function useFileUrl(attachment: Attachment, comment: CommentRef): FileUrlState {
  const files = commentFilesStore(useSession(), comment);
  const renewed = useSyncExternalStore(files.subscribe, files.getState, files.getState);
  const { fileId = "", urlExpiresAt } = attachment;
  const getNewest = (known: typeof renewed) => {
    const again = known.get(fileId);
    return again && again.urlExpiresAt > (urlExpiresAt ?? 0) ? again : attachment;
  };
  const newest = getNewest(renewed);
  return {
    href: getSafeHref(newest.url ?? ""),
    isExpired: () => newest.urlExpiresAt !== undefined && Date.now() > newest.urlExpiresAt - MARGIN_MS,
    async renew() {
      if (urlExpiresAt !== undefined) await files.renew().catch(() => {});
      return getSafeHref(getNewest(files.getState()).url ?? "");
    },
  };
}

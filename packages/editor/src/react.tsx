import type { CommentAnnotation } from "@colloquy/client";
import { type ThreadOptions, threadsStore } from "@colloquy/client/stores";
import {
  Composer,
  type ComposerProps,
  Thread,
  type ThreadProps,
  useSession,
  useTexts,
  useThreads,
} from "@colloquy/react";
import { type ReactElement, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { placeCards } from "./dom/place-cards.ts";
import { AnchoredThreads } from "./model/anchored-threads.ts";
import type { AnchoredThread } from "./model/attached-editor.ts";

/** The text whose comments to show. */
export interface UseCommentsOptions {
  documentId: string;
  /** ID of the collaborative document. Without it, the comments are on elements of the page. */
  editorId?: string | undefined;
}

/** Props of `CommentMargin`. */
export interface CommentMarginProps
  extends Pick<ThreadProps, "slots" | "reactions" | "getLink" | "isReadOnly">,
    Pick<ComposerProps, "upload"> {
  /** What `useComments` returns. */
  comments: AnchoredThreads<ThreadOptions>;
  documentId: string;
  /** Name of the margin for screen readers, by default that of the language. */
  label?: string | undefined;
  className?: string | undefined;
}

/** Returns the threads on a text, for the plugin of an editor and `CommentMargin`. */
export function useComments({ documentId, editorId }: UseCommentsOptions): AnchoredThreads<ThreadOptions> {
  const session = useSession();
  return useMemo(() => {
    const threads = threadsStore(session, { documentId });
    return new AnchoredThreads({ threads, ...(editorId !== undefined && { editorId }) });
  }, [session, documentId, editorId]);
}

/** Returns the thread as its text is in the editor. The service learns of typing only when anchors are resolved. */
function toShownThread({ thread, state }: AnchoredThread): CommentAnnotation {
  const isSame = (state === "detached") === (thread.anchorState === "detached");
  return state === "pending" || isSame ? thread : { ...thread, anchorState: state };
}

/** Shows threads at the height of their text, and a composer for the comment that the user has begun. */
export function CommentMargin(props: CommentMarginProps): ReactElement {
  const { comments, documentId, label, className, upload, ...shown } = props;
  const { threads, draft, activeId } = useSyncExternalStore(comments.subscribe, comments.getState, comments.getState);
  const texts = useTexts();
  const actions = useThreads({ documentId });
  const column = useRef<HTMLElement>(null);
  useEffect(() => (column.current ? placeCards(column.current, comments) : undefined), [comments]);
  return (
    <aside
      ref={column}
      aria-label={label ?? texts.threads}
      className={className ?? "colloquy-margin"}
      style={{ position: "relative" }}
    >
      {draft && (
        <div data-annotation-id="">
          <Composer
            {...{ documentId, upload }}
            draftId={`new/${documentId}/${comments.editorId ?? ""}`}
            autoFocus
            onSubmit={({ text, ...options }) => comments.add(text, options)}
            onCancel={() => comments.cancelComment()}
          />
        </div>
      )}
      {threads.map(({ thread, state }) => (
        <div
          key={thread.annotationId}
          data-annotation-id={thread.annotationId}
          data-state={state}
          data-active={thread.annotationId === activeId}
        >
          <Thread {...{ upload, ...shown }} thread={toShownThread({ thread, state })} threads={actions} />
        </div>
      ))}
    </aside>
  );
}

import type { CommentAnnotation } from "@colloquy/client";
import { type ReactElement, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useFocusAfter } from "./action.tsx";
import { Heading, type HeadingProps } from "./heading.tsx";
import { type ThreadsState, useThreads, useUnreadThreads } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { MoreButton, Notice, Time } from "./notice.tsx";
import { useSession } from "./provider.tsx";
import { RecordUserPhoto, useRecordUser } from "./record-user.tsx";
import { getRootProps } from "./root-props.ts";
import { getNeighbor, moveByRows } from "./roving.ts";
import { useTexts } from "./texts.tsx";
import { Thread, type ThreadProps } from "./thread.tsx";
import { ThreadFilterButton } from "./thread-filter-button.tsx";
import { type GetPosition, matchesView, sortThreads, type ThreadView } from "./thread-view.ts";
import { useSearch } from "./use-search.ts";

/** Props of `Threads`. */
export interface ThreadsProps extends HeadingProps, Omit<ThreadProps, "thread" | "threads"> {
  documentId: string;
  /** Threads to show first; open ones, newest first, by default. */
  initialView?: Partial<ThreadView> | undefined;
  /** Returns where a thread is on the page, so that users can sort by it. */
  getPosition?: GetPosition | undefined;
  /** Thread that is open, if the page says so. */
  activeId?: string | undefined;
  /** Called when the user opens and closes a thread. */
  onActiveChange?: ((annotationId: string | undefined) => void) | undefined;
  /** What is shown above the threads, such as a field for a new one. */
  children?: ReactNode | undefined;
}

const INITIAL_VIEW: ThreadView = { status: "open", filters: [], order: "newest" };

/** Shows the threads of a document with filters. The one that the user opens has its comments and a field to reply. */
export function Threads(props: ThreadsProps): ReactElement {
  const { documentId, initialView, getPosition, activeId: givenId, onActiveChange, children, ...others } = props;
  const { label, headingLevel, className, ...threadProps } = others;
  const texts = useTexts();
  const { userId } = useSession();
  const threads = useThreads({ documentId });
  const { data, isLoading, error, retry, hasMore, loadMore } = threads;
  const { unreadIds } = useUnreadThreads({ documentId });
  const [view, setView] = useState<ThreadView>({ ...INITIAL_VIEW, ...initialView });
  const [ownActiveId, setOwnActiveId] = useState<string>();
  const activeId = givenId ?? ownActiveId;
  const headingId = useId();
  const list = useRef<HTMLOListElement>(null);
  // The open thread stays where it is, also if it is read now.
  const matching = data.filter(
    (each) => each.annotationId === activeId || matchesView(each, view, { userId, unreadIds }),
  );
  const isSearching = useSearch(threads, matching.length);
  const isFiltered = view.status !== "all" || view.filters.length > 0;
  const emptyText = data.length > 0 && isFiltered ? texts.noMatches : texts.noThreads;
  const empty = matching.length === 0 && !isSearching ? emptyText : undefined;
  const newest = data.find(({ annotationId }) => annotationId === activeId)?.comments.at(-1);
  const isNewestSeen = newest === undefined || newest.from?.userId === userId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another comment by somebody else is to be read again.
  useEffect(() => {
    if (activeId === undefined || isNewestSeen || document.visibilityState === "hidden") return;
    // The thread stays unread if this fails, which the next opening mends.
    threads.markRead([activeId]).catch(() => {});
  }, [threads.markRead, activeId, newest?.commentId, isNewestSeen]);
  function open(annotationId: string | undefined): void {
    setOwnActiveId(annotationId);
    onActiveChange?.(annotationId);
  }
  return (
    <section {...getRootProps(texts, "colloquy-threads", className)} aria-labelledby={headingId} aria-busy={isLoading}>
      <header className="colloquy-header">
        <Heading headingLevel={headingLevel} id={headingId}>
          {label ?? texts.threads}
        </Heading>
        <p role="status" className="colloquy-badge">
          {!isLoading && error === undefined && texts.threadCount(matching.length)}
        </p>
        <div className="colloquy-header-actions">
          <ThreadFilterButton view={view} setView={setView} hasPositions={getPosition !== undefined} />
        </div>
      </header>
      {children}
      <Notice {...{ isLoading: isLoading || isSearching, error, retry, list, empty }} />
      <ol ref={list} tabIndex={-1} aria-labelledby={headingId} onKeyDown={moveByRows}>
        {sortThreads(matching, view.order, getPosition).map((each) => (
          <Entry
            key={each.annotationId}
            {...{ thread: each, threads, threadProps, list }}
            isActive={each.annotationId === activeId}
            isUnread={unreadIds.includes(each.annotationId)}
            open={open}
          />
        ))}
      </ol>
      {hasMore && !isSearching && <MoreButton loadMore={loadMore} list={list} />}
    </section>
  );
}

interface EntryProps {
  thread: CommentAnnotation;
  threads: ThreadsState;
  /** Props of the thread that the page gives. */
  threadProps: Omit<ThreadProps, "thread" | "threads" | "className">;
  isActive: boolean;
  isUnread: boolean;
  open: (annotationId: string | undefined) => void;
  list: RefObject<HTMLOListElement | null>;
}

function Entry({ thread, threads, threadProps, isActive, isUnread, open, list }: EntryProps): ReactElement {
  const id = useId();
  return (
    <li
      ref={useFocusAfter<HTMLLIElement>((entry) => getNeighbor(entry, list.current))}
      className="colloquy-entry"
      data-row=""
      data-active={isActive}
      data-resolved={thread.status.type === "terminal"}
    >
      <Summary
        thread={thread}
        isActive={isActive}
        isUnread={isUnread}
        controls={isActive ? id : undefined}
        toggle={() => open(isActive ? undefined : thread.annotationId)}
      />
      {isActive && (
        <div id={id}>
          <Thread {...threadProps} thread={thread} threads={threads} />
        </div>
      )}
    </li>
  );
}

interface SummaryProps {
  thread: CommentAnnotation;
  isActive: boolean;
  isUnread: boolean;
  /** ID of the element that the button shows. */
  controls: string | undefined;
  toggle: () => void;
}

/**
 * Shows who started a thread, its first comment and the number of replies, as a button that opens it. The open thread
 * shows all of that itself.
 */
function Summary({ thread, isActive, isUnread, controls, toggle }: SummaryProps): ReactElement {
  const texts = useTexts();
  const { annotationNumber, comments, from, createdAt, status, anchorState } = thread;
  const { name } = useRecordUser(from);
  const replies = comments.length - 1;
  const number = <span className="colloquy-badge">#{annotationNumber}</span>;
  return (
    <button
      type="button"
      className="colloquy-summary"
      data-unread={isUnread}
      aria-expanded={isActive}
      aria-controls={controls}
      onClick={toggle}
    >
      {isActive ? (
        <>
          {number}
          <span className="colloquy-hidden">{texts.threadOf(name)}</span>
          <Icon name="close" />
        </>
      ) : (
        <>
          <RecordUserPhoto user={from} />
          <span className="colloquy-summary-text">
            <span className="colloquy-summary-head">
              <strong>
                <bdi>{name}</bdi>
              </strong>
              {isUnread && <span className="colloquy-hidden"> ({texts.isUnread})</span>}
              {number}
              <Time at={createdAt} />
            </span>
            <span className="colloquy-excerpt" dir="auto">
              {comments[0]?.commentText}
            </span>
            <span className="colloquy-meta">
              {replies > 0 && <span>{texts.replies(replies)}</span>}
              {status.type === "terminal" && (
                <span>
                  <Icon name="check" /> {texts.resolved}
                </span>
              )}
              {anchorState === "detached" && <span>{texts.detached}</span>}
            </span>
          </span>
        </>
      )}
    </button>
  );
}

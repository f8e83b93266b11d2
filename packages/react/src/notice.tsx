import type { ReactElement, RefObject } from "react";
import { ActionButton, useAction } from "./action.tsx";

interface NoticeProps {
  isLoading: boolean;
  error: Error | undefined;
  retry: () => void;
  /** Text of an empty list, which is shown once the list is loaded. */
  empty?: string | undefined;
  /** List that gets the focus when a button is removed. */
  list: RefObject<HTMLElement | null>;
}

/** Shows why a list has no records, or is not kept up to date any more. */
export function Notice({ isLoading, error, retry, empty, list }: NoticeProps): ReactElement | null {
  const action = useAction();
  if (error === undefined) return empty === undefined ? null : <p>{isLoading ? "Loading…" : empty}</p>;
  return (
    <>
      <Failure error={error} />
      <ActionButton action={action} task={async () => retry()} next={() => list.current}>
        Try again
      </ActionButton>
    </>
  );
}

interface MoreButtonProps extends Pick<NoticeProps, "list"> {
  loadMore: () => Promise<void>;
}

/** Shows a button that reads the next page of a list. */
export function MoreButton({ loadMore, list }: MoreButtonProps): ReactElement {
  const action = useAction();
  return (
    <>
      <ActionButton action={action} task={loadMore} next={() => list.current}>
        Show more
      </ActionButton>
      <Failure error={action.error} />
    </>
  );
}

/** Shows an error, if there is one. */
export function Failure({ error }: { error: Error | undefined }): ReactElement | null {
  if (error === undefined) return null;
  return <p role="alert">{error.message}</p>;
}

/** Shows a time, with its date unless it is today. */
export function Time({ at }: { at: number }): ReactElement {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = isToday
    ? date.toLocaleTimeString([], { timeStyle: "short" })
    : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return <time dateTime={date.toISOString()}>{text}</time>;
}

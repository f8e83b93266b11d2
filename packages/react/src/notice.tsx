import type { ReactElement, RefObject } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { useTexts } from "./texts.tsx";
import { useIsHydrated } from "./use-is-hydrated.ts";
import { useNow } from "./use-now.ts";

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
  const texts = useTexts();
  if (error === undefined) {
    return empty === undefined ? null : <p className="colloquy-notice">{isLoading ? texts.loading : empty}</p>;
  }
  return (
    <div className="colloquy-failure">
      <ErrorMessage error={error} />
      <ActionButton action={action} task={async () => retry()} next={() => list.current}>
        {texts.tryAgain}
      </ActionButton>
    </div>
  );
}

interface MoreButtonProps extends Pick<NoticeProps, "list"> {
  loadMore: () => Promise<void>;
}

/** Shows a button that reads the next page of a list. */
export function MoreButton({ loadMore, list }: MoreButtonProps): ReactElement {
  const action = useAction();
  const texts = useTexts();
  return (
    <>
      <ActionButton action={action} task={loadMore} next={() => list.current}>
        {texts.showMore}
      </ActionButton>
      <ErrorMessage error={action.error} />
    </>
  );
}

/** Shows an error, if there is one. */
export function ErrorMessage({ error }: { error: Error | undefined }): ReactElement | null {
  const texts = useTexts();
  return error === undefined ? null : (
    <p className="colloquy-error" role="alert">
      {texts.error(error)}
    </p>
  );
}

interface TimeProps {
  at: number;
  /** Whether to show how long ago it was, which is the default, or the time of the day. */
  format?: "time" | "clock" | undefined;
}

/** Shows a time, and keeps it true. */
export function Time({ at, format = "time" }: TimeProps): ReactElement {
  const texts = useTexts();
  const now = useNow();
  const isHydrated = useIsHydrated();
  const date = new Date(at);
  const props = { dateTime: date.toISOString(), title: texts.dateTime(date), suppressHydrationWarning: true };
  // The server may be in another time zone. Hydration keeps what it has rendered, and another key replaces it.
  return (
    <time key={String(isHydrated)} {...props}>
      {texts[format](date, now)}
    </time>
  );
}

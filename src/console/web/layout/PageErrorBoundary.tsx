import { Component, type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Loading } from "../components/Panel.tsx";
import { CONSOLE_PATH } from "../url.ts";
import { claimReload, isChunkLoadError } from "./chunk-load-error.ts";

const AGAIN_MS = 3_000;

/** Keeps a fault of one page, or of reading its script, from taking the rest of the console with it. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (isChunkLoadError(error)) return <ScriptUnavailable />;
    return <ErrorMessage error={error} onRetry={() => location.reload()} />;
  }
}

/**
 * The page's script could not be read: the service is down, or another version of it has come. A browser may keep the
 * failure, so the whole page is loaded anew, by itself as soon as the service answers.
 */
function ScriptUnavailable() {
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ended = new AbortController();
    async function tryAgain(): Promise<void> {
      const isThere = await answers(ended.signal);
      if (ended.signal.aborted) return;
      if (!isThere) {
        setFailure(new ApiError("OFFLINE", "The service does not answer. This page comes by itself when it does."));
        timer = setTimeout(tryAgain, AGAIN_MS);
      } else if (claimReload(sessionStorage, Date.now())) {
        location.reload();
      } else {
        setFailure(new Error("The service does not have this page's script: it was updated, or its build is broken."));
      }
    }
    void tryAgain();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, []);
  return failure ? <ErrorMessage error={failure} onRetry={() => location.reload()} /> : <Loading />;
}

function answers(signal: AbortSignal): Promise<boolean> {
  return fetch(CONSOLE_PATH, { method: "HEAD", cache: "no-store", signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

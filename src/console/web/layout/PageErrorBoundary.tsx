import { Component, type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Loading } from "../components/Panel.tsx";
import { PageLoadError } from "../pages.ts";
import { CONSOLE_PATH } from "../url.ts";
import { claimReload } from "./claim-reload.ts";

const RETRY_MS = 3_000;

/** Keeps an error of one page, or of loading its script, from breaking the rest of the console. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (error instanceof PageLoadError) return <ScriptUnavailable />;
    return <ErrorMessage error={error} onRetry={() => location.reload()} />;
  }
}

/**
 * Replaces a page whose script could not be loaded, because the service is down or was upgraded. Browsers may cache the
 * error, so this reloads the whole console as soon as the service responds.
 */
function ScriptUnavailable() {
  const [error, setError] = useState<Error>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unmounted = new AbortController();
    async function retry(): Promise<void> {
      const isReachable = await responds(unmounted.signal);
      if (unmounted.signal.aborted) return;
      if (!isReachable) {
        setError(new ApiError("OFFLINE", "The service does not respond. This page loads when it is back."));
        timer = setTimeout(retry, RETRY_MS);
      } else if (claimReload(sessionStorage, Date.now())) {
        location.reload();
      } else {
        setError(new Error("This page's script is missing. The service was upgraded, or its build is incomplete."));
      }
    }
    void retry();
    return () => {
      unmounted.abort();
      clearTimeout(timer);
    };
  }, []);
  return error ? <ErrorMessage error={error} onRetry={() => location.reload()} /> : <Loading />;
}

function responds(signal: AbortSignal): Promise<boolean> {
  return fetch(CONSOLE_PATH, { method: "HEAD", cache: "no-store", signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

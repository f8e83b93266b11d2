import { inspectStores } from "@colloquy/client/stores";
import { type CSSProperties, type ReactElement, type ReactNode, useEffect, useState } from "react";
import { useSession } from "./provider.tsx";

/** Bundlers replace the name of the environment. */
declare const process: { env: { NODE_ENV?: string } };

/** A call or stream, as the browser has recorded it. */
interface RecordedCall {
  path: string;
  startTime: number;
  duration: number;
  /** HTTP code; 0 if the call has failed, or the browser does not tell. */
  responseStatus: number;
}

const MAX_CALLS = 50;
const REFRESH_MS = 500;
const PANEL: CSSProperties = {
  ...{ position: "fixed", insetInlineEnd: 8, bottom: 8, zIndex: 2147483647, maxWidth: "min(90vw, 640px)" },
  ...{ maxHeight: "60vh", overflow: "auto", padding: 8, font: "12px/1.4 ui-monospace, monospace" },
  ...{ background: "#111", color: "#eee", borderRadius: 6, colorScheme: "dark", direction: "ltr" },
};

/**
 * Shows the streams of the client with their status, its stores with their states, and its calls with times and errors.
 * Shows nothing in production, where bundlers leave out its script.
 */
export const Devtools: () => ReactElement | null = process.env.NODE_ENV === "production" ? () => null : Panel;

function Panel(): ReactElement {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const [, refresh] = useState(0);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => refresh((count) => count + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  if (!isOpen) {
    return (
      <button type="button" style={PANEL} onClick={() => setOpen(true)}>
        Colloquy devtools
      </button>
    );
  }
  const { streams, stores } = inspectStores(session);
  return (
    <section aria-label="Colloquy devtools" style={PANEL}>
      <button type="button" onClick={() => setOpen(false)}>
        Close
      </button>
      <Part title={`Streams (${streams.length})`}>
        {streams.map((stream) => (
          <li key={JSON.stringify(stream)}>{JSON.stringify(stream)}</li>
        ))}
      </Part>
      <Part title={`Stores (${stores.length})`}>
        {stores.map(([name, state]) => (
          <li key={name}>
            <details>
              <summary>{name}</summary>
              <pre>{JSON.stringify(state, toPlain, 2)}</pre>
            </details>
          </li>
        ))}
      </Part>
      <Part title="Calls">
        {getCalls(session.client.url).map(({ path, startTime, duration, responseStatus }) => (
          <li key={startTime + path} style={{ color: responseStatus >= 400 ? "#f88" : undefined }}>
            {`${Math.round(startTime)} ms ${path} ${responseStatus} ${Math.round(duration)} ms`}
          </li>
        ))}
      </Part>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <details open>
      <summary>{title}</summary>
      <ul>{children}</ul>
    </details>
  );
}

/** Returns the last calls to the service, newest first. */
function getCalls(url: string): RecordedCall[] {
  const base = new URL(url, location.href).href.replace(/\/$/, "");
  const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  return entries
    .filter(({ name }) => name.startsWith(`${base}/`))
    .slice(-MAX_CALLS)
    .reverse()
    .map(({ name, startTime, duration, responseStatus = 0 }) => {
      return { path: name.slice(base.length), startTime, duration, responseStatus };
    });
}

/** Converts what JSON has no text for. */
function toPlain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Error ? String(value) : value;
}

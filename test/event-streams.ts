import { onTestFinished } from "vitest";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

interface StreamEvent {
  id?: string;
  event?: string;
  data?: string;
}

/** What a stream is opened with. */
interface StreamOptions {
  query?: Record<string, string>;
  /** Text that is added to the query as it is. */
  rawQuery?: string;
  headers?: Record<string, string>;
}

/** Opens a stream of the organization "acme", and collects what arrives until the end of the test. */
export async function openEventStream(
  workspace: TestWorkspace,
  address: string,
  { query = {}, rawQuery = "", headers = {} }: StreamOptions = {},
) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const parameters = new URLSearchParams({ organizationId: SCOPE.organizationId, ...query });
  const url = `${address}/v2/events/stream?${parameters}${rawQuery}`;
  const credentials = "authorization" in headers ? {} : workspace.headers;
  const response = await fetch(url, { headers: { ...credentials, ...headers }, signal: controller.signal });
  const received: StreamEvent[] = [];
  const ended = collect(response, received);
  return {
    response,
    received,
    ended,
    close: () => controller.abort(),
    events: () =>
      received.flatMap(({ event, data }) => (event ? [[event, Object(JSON.parse(data ?? "")).subject]] : [])),
    lastId: () => received.findLast(({ id }) => id)?.id ?? "",
  };
}

async function collect(response: Response, received: StreamEvent[]): Promise<void> {
  let text = "";
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      received.push(...parts.map(parseEvent));
    }
  } catch {
    // The test has closed the stream.
  }
}

function parseEvent(text: string): StreamEvent {
  const fields = text.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2));
  return Object.fromEntries(fields);
}

/** Opens a stream, and another one that resumes whenever it ends, until the end of the test. */
export function keepEventStream(workspace: TestWorkspace, address: string) {
  const earlier: unknown[] = [];
  let current: Awaited<ReturnType<typeof openEventStream>> | undefined;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  async function keep(lastId: string): Promise<void> {
    const headers: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
    const stream = await openEventStream(workspace, address, { headers }).catch(() => undefined);
    current = stream?.response.ok ? stream : undefined;
    await stream?.ended;
    earlier.push(...(current?.events() ?? []));
    const resumeFrom = current?.lastId() || lastId;
    current = undefined;
    if (!isOver) await keep(resumeFrom);
  }
  void keep("");
  return {
    isOpen: () => current !== undefined && current.lastId() !== "",
    /** Returns the kinds and subjects of all events so far. */
    events: () => [...earlier, ...(current?.events() ?? [])],
  };
}

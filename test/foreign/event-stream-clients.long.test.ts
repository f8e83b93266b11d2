import { EventSource } from "eventsource";
import { createEventSource } from "eventsource-client";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../eventually.ts";
import { activity, SCOPE } from "../factories.ts";
import { TestWorkspace } from "../harness.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const HEADERS = { "x-service-api-key": CREDENTIALS.apiKey, "x-service-auth-token": CREDENTIALS.authToken };
const KILLS = 3;
const ADDED_BETWEEN_KILLS = 40;

interface Received {
  /** Number of streams of which the beginning has arrived. */
  streams: number;
  /** IDs of the activities, in the order of their events. */
  ids: string[];
}

/** Begins to read a stream until the end of the test. */
type Client = (url: string, received: Received) => void;

function receive(received: Received, event: string | undefined, data: string): void {
  if (event === "activity.add") received.ids.push(JSON.parse(data).subject.id);
}

/** A client by the HTML standard ends at any response other than 200, which a service that starts sends. */
const byEventSource: Client = (url, received) => {
  const abort = new AbortController();
  let source: EventSource | undefined;
  let lastId = "";
  onTestFinished(() => {
    abort.abort();
    source?.close();
  });
  function open(): void {
    source = new EventSource(url, {
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { "last-event-id": lastId, ...init.headers, ...HEADERS } }),
    });
    source.addEventListener("open", () => {
      received.streams++;
    });
    source.addEventListener("activity.add", ({ data, lastEventId }) => {
      lastId = lastEventId;
      receive(received, "activity.add", data);
    });
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED && !abort.signal.aborted) setTimeout(open, 100);
    });
  }
  open();
};

const byEventSourceClient: Client = (url, received) => {
  const source = createEventSource({
    url,
    headers: HEADERS,
    onConnect: () => void received.streams++,
    onMessage: ({ event, data }) => receive(received, event, data),
  });
  onTestFinished(() => source.close());
};

const byEventSourceParser: Client = (url, received) => {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  let lastId = "";
  async function read(): Promise<void> {
    const headers = { ...HEADERS, ...(lastId === "" ? {} : { "last-event-id": lastId }) };
    const response = await fetch(url, { headers, signal: abort.signal });
    if (!response.ok || !response.body) throw new Error(`The service responded ${response.status}.`);
    received.streams++;
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { id, event, data } of events) {
      receive(received, event, data);
      lastId = id ?? lastId;
    }
  }
  async function keepReading(): Promise<void> {
    while (!abort.signal.aborted) {
      await read().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  void keepReading();
};

test.each([
  ["eventsource", byEventSource],
  ["eventsource-client", byEventSourceClient],
  ["eventsource-parser", byEventSourceParser],
])("the package %s gets every event once and in order across kills of the service", async (_, read) => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const start = (port: string) =>
    new ServiceProcess({
      ...{ DATA_DIR: dataDir, PORT: port },
      BOOTSTRAP_API_KEY: CREDENTIALS.apiKey,
      BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken,
    });
  let service = start("0");
  const address = await service.address();
  const workspace = new TestWorkspace(address, { workspaceId: "", ...CREDENTIALS });
  const added: string[] = [];
  async function add(count: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      const id = `activity ${added.length}`;
      await workspace.data("/v2/activities/add", { ...SCOPE, activities: [activity({ id })] });
      added.push(id);
    }
  }
  await add(1);
  added.length = 0;
  const received: Received = { streams: 0, ids: [] };
  read(`${address}/v2/events/stream?organizationId=${SCOPE.organizationId}`, received);
  await eventually(() => expect(received.streams).toBe(1));
  for (let kill = 0; kill < KILLS; kill++) {
    await add(ADDED_BETWEEN_KILLS);
    await service.kill();
    service = start(new URL(address).port);
    await service.address();
    // These are added before most clients have connected again.
    await add(ADDED_BETWEEN_KILLS);
    await eventually(() => expect(received.ids.length).toBeGreaterThanOrEqual(added.length));
  }
  expect(received.streams).toBeGreaterThan(KILLS);
  expect(received.ids).toEqual(added);
});

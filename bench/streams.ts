/** `npm run bench -- streams`: measures what open streams of events cost, and how fast events arrive. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Load, type Measurement, measure } from "./load.ts";
import { describeShares, processorShares } from "./processor-time.ts";
import { AUTHENTICATION_HEADERS, type RunningService } from "./service.ts";

export interface StreamsOptions {
  address: string;
  streams: number;
  /** Number of organizations, over which the streams are spread. Each stream has a document of its own. */
  organizations: number;
  /** User tokens of the streams, used in turn. */
  tokens: string[];
  /** Headers of the backend that adds activities. */
  headers: Record<string, string>;
  seconds: number;
}

export interface StreamsResult {
  sent: number;
  received: number;
  /** Latencies from the time of the event, before its commit, to its arrival. */
  p50Ms: number;
  p99Ms: number;
}

const STREAMS = 10_000;
const ORGANIZATIONS = 100;
const USERS = 500;
const EVENTS_PER_SECOND = [250, 500, 1_000];
const SECONDS = 10;
const IDLE_SECONDS = 20;
const READ_CONNECTIONS = 8;
const READ_SECONDS = 5;
const SCOPE = { organizationId: "organization-0", documentId: "read" };

export async function measureStreams(service: RunningService, postmasterPid: number): Promise<void> {
  const tokens: string[] = [];
  for (let user = 0; user < USERS; user++) tokens.push(await getToken(service, `user-${user}`));
  const activities = [{ featureType: "comment" as const, actionType: "comment.add", actionUser: { userId: "ada" } }];
  for (let organization = 0; organization < ORGANIZATIONS; organization++) {
    const organizationId = `organization-${organization}`;
    for (let first = 0; first < STREAMS / ORGANIZATIONS; first += 50) {
      const documents = Array.from({ length: 50 }, (_, index) => ({
        documentId: `document-${organization + ORGANIZATIONS * (first + index)}`,
      }));
      await service.call("/v2/organizations/documents/add", { organizationId, documents });
    }
  }
  await service.call("/v2/activities/add", { ...SCOPE, activities });
  const alone = await read(service);
  const options: StreamsOptions = {
    ...{ address: service.address, streams: STREAMS, organizations: ORGANIZATIONS, tokens },
    ...{ headers: AUTHENTICATION_HEADERS, seconds: SECONDS },
  };
  const script = fileURLToPath(new URL("stream-clients.ts", import.meta.url));
  const clients = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(clients.stdout)[Symbol.asyncIterator]();
  const run = async (command: string) => {
    clients.stdin.write(`${command}\n`);
    return JSON.parse((await lines.next()).value ?? "");
  };
  const pids = { service: service.program.pid, postmaster: postmasterPid };
  const addEvents = async (eventsPerSecond: number) => {
    let result: StreamsResult | undefined;
    const shares = await processorShares(pids, async () => {
      result = await run(String(eventsPerSecond));
    });
    return { ...result, shares: describeShares(shares) };
  };
  try {
    clients.stdin.write(`${JSON.stringify(options)}\n`);
    for (const rate of EVENTS_PER_SECOND)
      console.log(`${rate} calls/s without streams: ${(await addEvents(rate)).shares}`);
    const bytesBefore = service.program.memoryBytes();
    await run("open");
    await sleep(1);
    const bytes = (service.program.memoryBytes() - bytesBefore) / STREAMS;
    console.log(`${STREAMS} streams: ${(bytes / 1e3).toFixed(1)} kB each (target: 20)`);
    const idle = await processorShares(pids, () => sleep(IDLE_SECONDS));
    console.log(`idle: ${describeShares(idle)}`);
    const beside = await read(service);
    const ratios = `p50 ${ratio(beside.p50Ms, alone.p50Ms)}, p99 ${ratio(beside.p99Ms, alone.p99Ms)} times`;
    const without = `${alone.p50Ms.toFixed(1)} ms, ${alone.p99Ms.toFixed(1)} ms`;
    console.log(`activities/get beside them: ${ratios} that without (${without}; target: 1.3)`);
    for (const rate of EVENTS_PER_SECOND) {
      const { received, sent, p50Ms, p99Ms, shares } = await addEvents(rate);
      console.log(`${received} of ${sent} events at ${rate}/s: ${shares}`);
      console.log(`p50 ${p50Ms} ms (target: 30), p99 ${p99Ms} ms (target: 150)`);
    }
  } finally {
    clients.kill();
  }
}

async function getToken({ call }: RunningService, userId: string): Promise<string> {
  const { token } = await call("/v2/auth/generate_token", {
    userId,
    userProperties: { name: userId, email: `${userId}@example.com` },
    permissions: { resources: [{ type: "organization", id: "organization-0" }] },
  });
  return token;
}

function read({ address }: RunningService): Promise<Measurement> {
  const bodies = [JSON.stringify({ data: { ...SCOPE, pageSize: 50 } })];
  const load: Load = { url: `${address}/v2/activities/get`, headers: AUTHENTICATION_HEADERS, bodies };
  return measure(load, READ_CONNECTIONS, READ_SECONDS);
}

function ratio(value: number, base: number): string {
  return (value / base).toFixed(2);
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

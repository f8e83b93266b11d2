/** `npm run bench -- document-sync`: measures typing in many documents, beside a Hocuspocus server without storage. */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type RunningProgram, startProgram } from "./processes.ts";
import { processorTimeUs } from "./processor-time.ts";
import type { RunningService } from "./service.ts";

export interface SyncOptions {
  url: string;
  /** Names of the documents. */
  names: string[];
  /** User tokens that typists share, since a user may have 100 sockets. */
  tokens: string[];
  /** Number of typists in each document, and of the updates of each a second. */
  typists: number;
  updatesPerSecond: number;
}

export interface SyncResult {
  sent: number;
  received: number;
  /** Time of typing in milliseconds. It is longer than asked for if the clients themselves cannot keep up. */
  tookMs: number;
  /** Latencies from a typist to the others in the document. */
  p50Ms: number;
  p99Ms: number;
}

const DOCUMENTS = 200;
const TYPISTS = 5;
const USERS = 20;
const UPDATES_PER_SECOND = [1, 2, 5];
const SECONDS = 15;
const BARE = /listening on (\S+)/;

/** Compares the service, with PostgreSQL, with a bare server at several rates of typing. */
export async function measureSync(service: RunningService, postmasterPid: number): Promise<void> {
  const organizationId = "organization-0";
  const names: string[] = [];
  for (let number = 0; number < DOCUMENTS; number++) {
    const editor = { organizationId, documentId: `document-${number}`, editorId: "content" };
    await service.call("/v2/crdt/add", { ...editor, type: "array", data: [] });
    names.push(`${organizationId}/${editor.documentId}/${editor.editorId}`);
  }
  const tokens: string[] = [];
  for (let number = 0; number < USERS; number++) {
    const { token } = await service.call("/v2/auth/generate_token", {
      userId: `user-${number}`,
      userProperties: { name: "Ada", email: "ada@example.com" },
      permissions: { resources: [{ type: "organization", id: organizationId, accessRole: "editor" }] },
    });
    tokens.push(token);
  }
  const bare = await startBare();
  try {
    const url = `${service.address.replace("http", "ws")}/v2/crdt/sync`;
    const bareUrl = BARE.exec(bare.readyLine)?.[1] ?? "";
    for (const updatesPerSecond of UPDATES_PER_SECOND) {
      const common = { names, tokens, typists: TYPISTS, updatesPerSecond };
      const own = await type({ ...common, url }, [service.program.pid, postmasterPid]);
      const other = await type({ ...common, url: bareUrl }, [bare.pid]);
      console.log(`${DOCUMENTS} documents, ${TYPISTS} typists each, ${updatesPerSecond} updates/s of each`);
      console.log(describe("service", own));
      console.log(describe("bare Hocuspocus", other));
      const [serviceShare = 0, postgresShare = 0] = own.shares;
      const [bareShare = 0] = other.shares;
      const ratios = [serviceShare, serviceShare + postgresShare].map((share) => (share / bareShare).toFixed(2));
      console.log(`ratio ${ratios[0]}, with PostgreSQL ${ratios[1]} (target: 1.5)\n`);
    }
  } finally {
    await bare.stop();
  }
}

function startBare(): Promise<RunningProgram> {
  return startProgram([fileURLToPath(new URL("bare-hocuspocus.ts", import.meta.url))], {
    environment: {},
    workingDirectory: tmpdir(),
    readyPattern: BARE,
  });
}

interface Typed extends SyncResult {
  /** Shares of a core that the processes used while the clients typed. */
  shares: number[];
}

async function type(options: SyncOptions, pids: number[]): Promise<Typed> {
  const script = fileURLToPath(new URL("sync-clients.ts", import.meta.url));
  const clients = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(clients.stdout)[Symbol.asyncIterator]();
  const run = async (command: string) => {
    clients.stdin.write(`${command}\n`);
    return JSON.parse((await lines.next()).value ?? "");
  };
  try {
    clients.stdin.write(`${JSON.stringify(options)}\n`);
    await run("open");
    const before = pids.map(processorTimeUs);
    const startedAt = performance.now();
    const result: SyncResult = await run(String(SECONDS));
    const seconds = (performance.now() - startedAt) / 1000;
    const shares = pids.map((pid, index) => (processorTimeUs(pid) - (before[index] ?? 0)) / 1e6 / seconds);
    return { ...result, shares };
  } finally {
    clients.kill();
  }
}

function describe(name: string, { sent, received, tookMs, p50Ms, p99Ms, shares }: Typed): string {
  const percents = shares.map((share) => `${(share * 100).toFixed(0)} %`).join(" + ");
  const counts = `${received} of ${sent * (TYPISTS - 1)} in ${(tookMs / 1000).toFixed(0)} s`;
  return `  ${name}: ${percents} of a core, ${counts}, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`;
}

/** `npm run bench -- starts`: starts and memory of the sources and of the bundle that `npm run release` writes. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CONNECTIONS } from "./compare.ts";
import { measure } from "./load.ts";
import { median } from "./median.ts";
import { startProgram } from "./processes.ts";
import { parentPid, processorTimeUs } from "./processor-time.ts";
import { AUTHENTICATION_HEADERS, ENVIRONMENT, LISTENING } from "./service.ts";

const ROUNDS = 7;
/** Time after which a service that has started is idle. */
const IDLE_AFTER_MS = 4_000;
const LOAD_SECONDS = 10;
const ROOT = join(import.meta.dirname, "..");
const FORMS = { sources: "src/main.js", bundle: "release/dist/lib/main.js" };
const ORGANIZATION = { organizationId: "acme" };

type Figures = Record<string, number>;

/** Starts each form in turn, with two processes on a used database, and prints medians of the rounds. */
export async function measureStartsAndMemory(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-bench-starts-"));
  try {
    const rounds = new Map(Object.keys(FORMS).map((form) => [form, [] as Figures[]]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [form, main] of Object.entries(FORMS)) {
        const figures = await startOnce(join(ROOT, main), join(folder, form), round === ROUNDS);
        // The first start creates the database.
        if (round > 0) rounds.get(form)?.push(figures);
      }
    }
    for (const [form, all] of rounds) {
      const names = Object.keys(all.at(-1) ?? {});
      const of = (name: string) => median(all.flatMap((figures) => figures[name] ?? []));
      console.log(`${form}: ${names.map((name) => `${name} ${of(name).toFixed(2)}`).join(", ")}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startOnce(main: string, DATA_DIR: string, isLast: boolean): Promise<Figures> {
  const environment = { ...ENVIRONMENT, DATA_DIR, PROCESSES: "2" };
  const startedAt = performance.now();
  const program = await startProgram([main, "start"], { environment, readyPattern: LISTENING });
  const seconds = (performance.now() - startedAt) / 1000;
  const processorSeconds = processorTimeUs(program.pid) / 1e6;
  try {
    await delay(IDLE_AFTER_MS);
    const postmaster = Number(readFileSync(join(DATA_DIR, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
    const workers = children(program.pid).filter((pid) => pid !== postmaster);
    const postgres = sum([postmaster, ...children(postmaster)].map(proportionalMegabytes));
    const [primary, ofWorkers] = [proportionalMegabytes(program.pid), workers.map(proportionalMegabytes)];
    const all = primary + sum(ofWorkers) + postgres;
    const idle = { seconds, processorSeconds, primary, worker: median(ofWorkers), postgres, all };
    if (!isLast) return idle;
    await readPages(LISTENING.exec(program.readyLine)?.[1] ?? "");
    return { ...idle, workerUnderLoad: Math.max(...workers.map(proportionalMegabytes)) };
  } finally {
    await program.stop();
  }
}

/** Adds activities and reads pages of 50 over many connections. */
async function readPages(address: string): Promise<void> {
  const post = (path: string, data: object) => ({
    url: address + path,
    headers: AUTHENTICATION_HEADERS,
    bodies: [JSON.stringify({ data: { ...ORGANIZATION, ...data } })],
  });
  const activity = {
    featureType: "custom",
    actionType: "edit",
    targetEntityId: "clause",
    actionUser: { userId: "ada" },
  };
  const add = post("/v2/activities/add", { documentId: "contract", activities: [activity] });
  await measure(add, CONNECTIONS, LOAD_SECONDS);
  await measure(post("/v2/activities/get", { pageSize: 50 }), CONNECTIONS, LOAD_SECONDS);
}

function children(pid: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((candidate) => parentPid(candidate) === pid);
}

/** Returns the memory of a process in MB, of which pages that it shares with others count in proportion (PSS). */
function proportionalMegabytes(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import type { Logger } from "pino";
import { type Config, findMisspeltVariables, readConfig } from "../config/config.ts";
import { createLogger } from "../config/log.ts";
import { credentialsPath } from "../features/workspaces/credentials-file.ts";
import { finishStart } from "../service/after-start.ts";
import { startProcesses } from "../service/processes/primary.ts";
import { runWorker } from "../service/processes/worker.ts";
import type { Service } from "../service/service.ts";
import { firstSteps } from "./first-steps.ts";
import { findLostFiles } from "./lost-files.ts";
import { npmEnded } from "./npm-end.ts";
import { print } from "./output.ts";

const ROOT_WARNING =
  "The service runs as root. Start it as a user that owns only DATA_DIR, as the files in deploy/ do, so that a fault " +
  "in it cannot change the machine.";
const STOP_LIMIT_MS = 10_000;
/** Ctrl-C in a terminal reaches the service twice: from the terminal and from npm. They count as one signal. */
const REPEATED_SIGNAL_MS = 500;

export function addStartCommand(program: Command): void {
  program
    .command("start")
    .summary("run the service")
    .description(
      "Runs the service, and its embedded database unless DATABASE_URL is set. It stops on SIGTERM, SIGINT or " +
        "SIGHUP, or when the npm that runs it ends: it finishes the requests in progress, for 10 s at most. A " +
        "second signal ends it at once. The first start prints an API key, an auth token and curl commands to try.",
    )
    .option("--development", "check every response against its contract, as with NODE_ENV=development")
    .addHelpText("after", "\nExample:\n  $ PORT=8080 DATA_DIR=/var/lib/colloquy colloquy start")
    .action(async ({ development }: { development?: true }) => {
      const config = readConfig();
      // One process starts faster after each change, and a debugger finds it.
      await runService(development ? { ...config, checkResponses: true, processes: 1 } : config);
    });
}

async function runService(config: Config): Promise<void> {
  // Lets the heap double, not quadruple, before it is collected again. After 20,000 page reads on 64 connections the
  // service takes 311 MB of memory with this flag and 376 MB without, for 5 % more processor time.
  setFlagsFromString("--heap-growing-percent=100");
  const log = createLogger(config.logLevel);
  if (cluster.worker) return runWorker(config, log.child({ worker: cluster.worker.id }));
  for (const { finding, remedy } of findMisspeltVariables()) log.warn(`${finding} ${remedy}`);
  if (process.getuid?.() === 0) log.warn(ROOT_WARNING);
  const lost = await findLostFiles(config);
  if (lost) log.warn(`${lost.finding} ${lost.remedy}`);
  const stopRequests = listenForStopRequests();
  const starting = start(config, log, stopRequests.signal).catch((error: unknown) => {
    // The start was canceled by a stop request.
    if (error !== stopRequests.signal.reason) throw error;
  });

  async function serve(): Promise<void> {
    const service = await Promise.race([starting, stopRequests.first]);
    if (typeof service === "object") {
      printFirstSteps(config, service, log);
      finishStart();
    }
    log.info({ reason: await stopRequests.first }, "stopping");
    await withinStopLimit(starting.then((started) => started?.stop()));
    log.info("stopped");
  }

  await Promise.race([serve(), stopRequests.second]);
}

/** Starts the service in this process or, if there are to be several, in worker processes. */
async function start(config: Config, log: Logger, signal: AbortSignal): Promise<Service> {
  if (config.processes > 1) return startProcesses(config, log, { signal });
  // Imported here because it takes 0.3 s, which other commands and the primary save.
  const { startService } = await import("../service/service.ts");
  return startService(config, log, { signal });
}

function printFirstSteps(config: Config, { address, firstCredentials }: Service, log: Logger): void {
  const path = credentialsPath(config.dataDir);
  // Credentials that the operator has set in BOOTSTRAP_… are not logged.
  if (config.bootstrap || !existsSync(path)) return;
  log.info({ path }, "API key and auth token of the first workspace are saved in this file");
  if (!firstCredentials) return;
  const text = firstSteps(config, address, firstCredentials);
  // The log on stdout is one line of JSON per event unless stdout is a terminal.
  if (process.stdout.isTTY) print(text);
  else process.stderr.write(`${text}\n`);
}

interface StopRequests {
  /** Resolves with the reason of the first stop request. */
  first: Promise<string>;
  /** Rejects when a signal repeats the request. */
  second: Promise<never>;
  /** Aborted by the first stop request. */
  signal: AbortSignal;
}

function listenForStopRequests(): StopRequests {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<never>();
  const stopping = new AbortController();
  let firstAt: number | undefined;
  function request(reason: string): void {
    firstAt ??= performance.now();
    first.resolve(reason);
    stopping.abort();
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    process.on(signal, () => {
      request(signal);
      const isRepeated = performance.now() - (firstAt ?? 0) > REPEATED_SIGNAL_MS;
      if (isRepeated) second.reject(new Error("Ended at once by a second signal."));
    });
  }
  void npmEnded().then(() => request("npm has ended"));
  return { first: first.promise, second: second.promise, signal: stopping.signal };
}

async function withinStopLimit(stopping: Promise<unknown>): Promise<void> {
  const limit = delay(STOP_LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Ended after ${STOP_LIMIT_MS / 1000} s, with requests or jobs still in progress.`);
  });
  await Promise.race([stopping, limit]);
}

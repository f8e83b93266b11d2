import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { Logger } from "pino";
import { type Config, readConfig } from "../config/config.ts";
import { createLogger } from "../config/log.ts";
import { credentialsPath } from "../features/workspaces/credentials-file.ts";
import type { Service } from "../service/service.ts";
import { print } from "./output.ts";

const STOP_LIMIT_MS = 10_000;
/** npm passes on a Ctrl-C that the terminal has sent already: two signals this close are one wish. */
const SAME_WISH_MS = 500;

export function addStartCommand(program: Command): void {
  program
    .command("start")
    .summary("run the service")
    .description(
      "Runs the service, and its database where DATABASE_URL is not set, until SIGTERM, SIGINT or SIGHUP; it then " +
        "finishes what runs, for 10 s at most. A second signal ends it at once. The first start prints a key, a " +
        "token and curl commands to try.",
    )
    .addHelpText("after", "\nExample:\n  $ PORT=8080 DATA_DIR=/var/lib/colloquy colloquy start")
    .action(runService);
}

async function runService(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.logLevel);
  const signals = listenForSignals();
  // Loaded here: measured at 0.3 s, which the other commands need not wait.
  const { startService } = await import("../service/service.ts");
  const starting = startService(config, log, signals.stopping).catch((error: unknown) => {
    // Given up, as the signal asked.
    if (error !== signals.stopping.reason) throw error;
  });

  async function serve(): Promise<void> {
    const service = await Promise.race([starting, signals.first]);
    if (typeof service === "object") {
      announce(config, service, log);
      // Node does so at an end, which a kill is not; without, a start was measured at 1.4 s of processor time for 0.8.
      flushCompileCache();
      await signals.first;
    }
    log.info("stopping");
    await withinStopLimit(starting.then((started) => started?.stop()));
    log.info("stopped");
  }

  await Promise.race([serve(), signals.second]);
}

function announce(config: Config, { address, firstCredentials }: Service, log: Logger): void {
  const path = credentialsPath(config.dataDir);
  // The operator knows what BOOTSTRAP_… holds; a log need not.
  if (config.bootstrap || !existsSync(path)) return;
  log.info({ path }, "API key and auth token of the first workspace are kept in a file");
  if (!firstCredentials) return;
  const text = firstSteps(config, address, firstCredentials);
  // Where stdout is no terminal, somebody reads the log there, line by line.
  if (process.stdout.isTTY) print(text);
  else process.stderr.write(`${text}\n`);
}

function listenForSignals(): { first: Promise<string>; second: Promise<never>; stopping: AbortSignal } {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<never>();
  const stopping = new AbortController();
  let firstAt: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    process.on(signal, () => {
      firstAt ??= performance.now();
      first.resolve(signal);
      stopping.abort();
      if (performance.now() - firstAt > SAME_WISH_MS) second.reject(new Error("Ended at once, by a second signal."));
    });
  }
  return { first: first.promise, second: second.promise, stopping: stopping.signal };
}

async function withinStopLimit(stopping: Promise<unknown>): Promise<void> {
  const limit = delay(STOP_LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Ended after ${STOP_LIMIT_MS / 1000} s, before all that ran was finished.`);
  });
  await Promise.race([stopping, limit]);
}

/** What somebody needs who has never seen the service; every command in it works when pasted. */
function firstSteps(
  config: Config,
  address: string,
  { apiKey, authToken, signInUrl }: NonNullable<Service["firstCredentials"]>,
): string {
  const base = address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  const brand = config.authHeaderBrands[0];
  const curl = (path: string, data: object) =>
    [
      `curl -sS ${base}${path} \\`,
      `  -H 'content-type: application/json' \\`,
      `  -H 'x-${brand}-api-key: ${apiKey}' \\`,
      `  -H 'x-${brand}-auth-token: ${authToken}' \\`,
      `  -d '${JSON.stringify({ data })}'`,
    ].join("\n");
  const activity = {
    featureType: "custom",
    actionType: "task.create",
    actionUser: { userId: "ada", name: "Ada" },
    targetEntityId: "task-1",
    displayMessageTemplate: "{{user}} made a task",
    displayMessageTemplateData: { user: { userId: "ada", name: "Ada" } },
  };
  return `
Colloquy runs at ${base}

This first start made the workspace "default":

  API key     ${apiKey}
  Auth token  ${authToken}

Both are kept in ${credentialsPath(config.dataDir)}, which only you can read, and are not printed again.

Add an activity:

${curl("/v2/activities/add", { organizationId: "acme", documentId: "plan", activities: [activity] })}

Read it back:

${curl("/v2/activities/get", { organizationId: "acme", documentId: "plan" })}

Look at it in the console; this link signs you in, once, within 15 minutes (\`colloquy console\` makes another):

${signInUrl}
`;
}

/**
 * Starts a small product, whose page shows what a user of each role sees:
 *   npm run example:workspace-app -- [--port <port>] [options]
 * Starts the service too, unless it runs already or --url names another one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readDefaultUrl, runExample } from "../command-line.ts";
import { startBackend } from "./backend.ts";
import { buildPage } from "./build-page.ts";

const ROOT = join(import.meta.dirname, "../..");
const POLL_MS = 100;

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Starts the service and waits until it is ready. */
async function startService(url: string): Promise<ChildProcess> {
  const service = spawn(process.execPath, [join(ROOT, "src/main.js"), "start"], { stdio: "inherit" });
  while (!(await isReady(url))) {
    if (service.exitCode !== null) throw new Error("The service has ended.");
    await delay(POLL_MS);
  }
  return service;
}

const isElsewhere = process.argv.some((argument) => /^--(url|help)\b/.test(argument));
const url = readDefaultUrl();
const service = isElsewhere || (await isReady(url)) ? undefined : await startService(url);

await runExample("example:workspace-app", "", async ({ service: credentials, port }) => {
  const server = await startBackend(credentials, await buildPage(), port);
  console.log(`Open http://localhost:${(server.address() as AddressInfo).port}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      server.close().closeAllConnections();
      service?.kill("SIGTERM");
    });
  }
  if (!service) return;
  await once(service, "exit");
  server.close().closeAllConnections();
});
if (process.exitCode) service?.kill("SIGTERM");

/**
 * `npm run bench`: measures the service and a floor (bench/floor.ts) in one run, each on its own embedded PostgreSQL.
 * `npm run bench -- activities/get` runs only the scenarios whose names contain that text.
 * With BENCH_DATABASE_URL, both sides use that server, which must run on this machine.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { CONNECTIONS, compare, printLegend, ROUNDS, SECONDS } from "./compare.ts";
import { measureCompression } from "./compression.ts";
import { measureConsole } from "./console.ts";
import { measureEngine } from "./engine.ts";
import { measureFairness } from "./fairness.ts";
import { measureGrowth } from "./growth.ts";
import { loadGenerator } from "./load.ts";
import { measureOverload } from "./overload.ts";
import { type PostgresServer, shareRunningPostgres, startPostgres } from "./postgres.ts";
import { hasProcessAccounting } from "./processor-time.ts";
import { STORED_RECORDS, scenarios } from "./scenarios.ts";
import { type RunningService, startService } from "./service.ts";
import { measureStartsAndMemory } from "./starts.ts";
import { measureStreams } from "./streams.ts";
import { measureSync } from "./sync.ts";
import { measureUserDataDeletion } from "./user-data.ts";
import { measureUserTokens } from "./user-tokens.ts";
import { measureWebhooks } from "./webhooks.ts";

const filter = process.argv[2] ?? "";

console.log(
  `Node ${process.version}, ${cpus().length} cores, load average ${loadavg()[0]?.toFixed(2)}, ${loadGenerator}, ` +
    `${CONNECTIONS} connections, ${STORED_RECORDS} records stored, ${ROUNDS} rounds of ${SECONDS} s each\n`,
);
if (!hasProcessAccounting) console.log("Processor time and memory are not available: this system has no /proc.\n");
await measureStarts();
const shared = process.env.BENCH_DATABASE_URL;
await using floor = shared ? await shareRunningPostgres(shared, "_floor") : await startPostgres();
await using server = shared ? await shareRunningPostgres(shared, "_service") : await startPostgres();
const selected = scenarios.filter(({ name }) => name.includes(filter));
if (selected.length > 0) printLegend();
for (const scenario of selected) await compare(scenario, { floor, service: server });
if ("engine".includes(filter)) await measureEngine(await server.createDatabase("bench"));
if ("user-data".includes(filter)) await measureOnNewService(server, measureUserDataDeletion);
if ("user-tokens".includes(filter)) {
  const environment = { ALLOW_PRIVATE_ADDRESSES: "true" };
  await measureOnNewService(server, (service) => measureUserTokens(service, server.postmasterPid), environment);
}
if ("compression".includes(filter)) await measureOnNewService(server, measureCompression);
// It needs what `npm run release` writes, so it runs only by its name.
if (filter === "starts") await measureStartsAndMemory();
if ("streams".includes(filter)) {
  await measureOnNewService(server, (service) => measureStreams(service, server.postmasterPid));
}
if ("document-sync".includes(filter)) {
  await measureOnNewService(server, (service) => measureSync(service, server.postmasterPid));
}
if ("webhooks".includes(filter)) {
  const measure = (service: RunningService) => measureWebhooks(service, server.postmasterPid);
  await measureOnNewService(server, measure, { ALLOW_PRIVATE_ADDRESSES: "true" });
}
if ("overload".includes(filter)) await measureOnNewService(server, measureOverload);
if ("fairness".includes(filter)) await measureOnNewService(server, measureFairness);
if ("console".includes(filter)) await measureOnNewService(server, measureConsole);
// It takes 25 GB of disk, so it runs only by its name.
if (filter === "growth") await measureGrowth({ small: floor, large: server });

/** Measures the time from process start to the first response, with an empty and with a used data directory. */
async function measureStarts(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "colloquy-bench-start-"));
  try {
    for (const name of ["first start", "later start"]) {
      const startedAt = performance.now();
      const service = await startService({ DATA_DIR: directory });
      await service.call("/v1/organizations/get", {});
      console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(2)} s to the first response`);
      await service.program.stop();
    }
    console.log("");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Runs a benchmark that has no floor on a new service with an empty database. */
async function measureOnNewService(
  server: PostgresServer,
  measure: typeof measureConsole,
  environment: Record<string, string> = {},
): Promise<void> {
  const connectionString = await server.createDatabase("bench");
  const service = await startService({ DATABASE_URL: connectionString, SECRET_KEY: "0".repeat(64), ...environment });
  try {
    await measure(service, connectionString);
  } finally {
    await service.program.stop();
  }
}

import { type Load, type Measurement, measure } from "./load.ts";
import { median } from "./median.ts";
import { type PostgresServer, runAndVacuum } from "./postgres.ts";
import { type RunningProgram, startProgram } from "./processes.ts";
import { processorTimeUs } from "./processor-time.ts";
import type { Scenario } from "./scenario.ts";
import { activitySeedCalls } from "./scenarios.ts";
import { AUTHENTICATION_HEADERS, startService } from "./service.ts";

export const CONNECTIONS = 64;
export const SECONDS = 3;
export const ROUNDS = 7;
/** Compiling the hot functions takes about 10 s under load; until then a request costs up to twice as much. */
const WARM_UP_ROUNDS = 3;

/**
 * The PostgreSQL servers, one for each side, so that work after a request (checkpoints, vacuuming, jobs) never counts
 * for the other side.
 */
export interface Servers {
  floor: PostgresServer;
  service: PostgresServer;
}

interface Side {
  name: string;
  url: string;
  program: RunningProgram;
  server: PostgresServer;
  rounds: Round[];
}

interface Round extends Measurement {
  /** Processor time of one request in the program, and in PostgreSQL. */
  processUs: number;
  postgresUs: number;
}

/** Medians of the rounds. */
type Summary = Omit<Round, "requests">;

const COLUMNS = [
  ...["requests/s", "p50 ms", "p99 ms", "memory MB", "process µs", "PostgreSQL µs", "total µs"],
  ...["time ratio", "rate ratio", "target"],
];
const SCENARIO_WIDTH = 34;
const SIDE_WIDTH = 8;

export function printLegend(): void {
  console.log(
    "process µs, PostgreSQL µs, total µs: processor time of one request in the program and in its PostgreSQL server\n" +
      "time ratio: total µs of colloquy / floor, or a service beside it; rate ratio: requests/s of both, its target\n",
  );
  console.log("scenario".padEnd(SCENARIO_WIDTH + SIDE_WIDTH) + COLUMNS.map(cell).join(""));
}

/** Measures the floor and the service alternately, so that changes of the machine's speed affect both. */
export async function compare(scenario: Scenario, servers: Servers): Promise<void> {
  const { besideSeed } = scenario;
  const other = await (besideSeed
    ? startServiceSide("beside", { ...scenario, seed: besideSeed }, servers.floor)
    : startFloorSide(scenario, servers.floor));
  try {
    const service = await startServiceSide("colloquy", scenario, servers.service);
    try {
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
        for (const side of [other, service]) {
          const result = await measureRound(side, scenario);
          if (round >= WARM_UP_ROUNDS) side.rounds.push(result);
        }
      }
      printRows(scenario, other, service);
    } finally {
      await service.program.stop();
    }
  } finally {
    await other.program.stop();
  }
}

async function startFloorSide({ name, floor }: Scenario, server: PostgresServer): Promise<Side> {
  const database = await server.createDatabase("bench");
  await runAndVacuum(database, floor.setup);
  const program = await startProgram(["bench/floor.ts", name, database], { readyPattern: /^http:/ });
  return { name: "floor", url: program.readyLine, program, server, rounds: [] };
}

async function startServiceSide(name: string, scenario: Scenario, server: PostgresServer): Promise<Side> {
  const database = await server.createDatabase("bench");
  const PROCESSES = String(scenario.processes ?? 1);
  const { address, program, call } = await startService({
    DATABASE_URL: database,
    SECRET_KEY: "0".repeat(64),
    PROCESSES,
  });
  try {
    for (const { path, data } of scenario.seed?.() ?? activitySeedCalls()) await call(path, data);
    await runAndVacuum(database, scenario.seedStatements ?? "");
  } catch (error) {
    await program.stop();
    throw error;
  }
  return { name, url: address + scenario.path, program, server, rounds: [] };
}

async function measureRound({ url, program, server }: Side, { headers, requests }: Scenario): Promise<Round> {
  const bodies = requests.map((data) => JSON.stringify({ data }));
  const processBefore = processorTimeUs(program.pid);
  const postgresBefore = processorTimeUs(server.postmasterPid);
  const load: Load = { url, headers: { ...AUTHENTICATION_HEADERS, ...headers }, bodies };
  const measurement = await measure(load, CONNECTIONS, SECONDS);
  return {
    ...measurement,
    processUs: (processorTimeUs(program.pid) - processBefore) / measurement.requests,
    postgresUs: (processorTimeUs(server.postmasterPid) - postgresBefore) / measurement.requests,
  };
}

function printRows({ name, targetRatio }: Scenario, floorSide: Side, serviceSide: Side): void {
  const floor = summarize(floorSide.rounds);
  const service = summarize(serviceSide.rounds);
  const timeRatio = decimals(totalUs(service) / totalUs(floor), 2);
  const rateRatio = decimals(service.requestsPerSecond / floor.requestsPerSecond, 2);
  printRow(name, floorSide, floor, []);
  printRow(name, serviceSide, service, [timeRatio, rateRatio, String(targetRatio)]);
}

function printRow(scenario: string, { name, program }: Side, summary: Summary, ratios: string[]): void {
  const cells = [
    ...[decimals(summary.requestsPerSecond, 0), decimals(summary.p50Ms, 1), decimals(summary.p99Ms, 1)],
    decimals(program.memoryBytes() / 2 ** 20, 0),
    ...[summary.processUs, summary.postgresUs, totalUs(summary)].map((us) => decimals(us, 0)),
    ...ratios,
  ];
  console.log(scenario.padEnd(SCENARIO_WIDTH) + name.padEnd(SIDE_WIDTH) + cells.map(cell).join(""));
}

function summarize(rounds: Round[]): Summary {
  return {
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    processUs: median(rounds.map(({ processUs }) => processUs)),
    postgresUs: median(rounds.map(({ postgresUs }) => postgresUs)),
  };
}

function totalUs({ processUs, postgresUs }: Summary): number {
  return processUs + postgresUs;
}

function decimals(value: number, digits: number): string {
  return Number.isNaN(value) ? "n/a" : value.toFixed(digits);
}

function cell(text: string): string {
  return text.padStart(14);
}

import { type Measurement, measure } from "./load.ts";
import { median } from "./median.ts";
import { type PostgresServer, runStatements } from "./postgres.ts";
import { type RunningProgram, startProgram } from "./processes.ts";
import { processorTimeUs } from "./processor-time.ts";
import { fillingCalls, type Scenario } from "./scenarios.ts";
import { AUTHENTICATION_HEADERS, startService } from "./service.ts";

export const CONNECTIONS = 64;
export const SECONDS = 5;
export const ROUNDS = 3;

/**
 * One PostgreSQL server for each side, so that work that PostgreSQL or the service does after a request (checkpoints,
 * vacuuming, jobs) never counts as work of the other side.
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

/** The processor times are those of one request. */
interface Round extends Measurement {
  processUs: number;
  postgresUs: number;
}

const COLUMNS = [
  ...["requests/s", "p50 ms", "p99 ms", "memory MB", "process µs", "PostgreSQL µs", "total µs"],
  ...["time ratio", "rate ratio", "aim"],
];
const SCENARIO_WIDTH = 34;
const SIDE_WIDTH = 8;

export function printLegend(): void {
  console.log(
    "process µs, PostgreSQL µs: processor time of one request, in the program and in its PostgreSQL server\n" +
      "time ratio: total µs of colloquy / floor; rate ratio: requests/s of colloquy / floor, with its aim\n",
  );
  console.log("scenario".padEnd(SCENARIO_WIDTH + SIDE_WIDTH) + COLUMNS.map(cell).join(""));
}

/**
 * Measures the floor and the service in alternation, so that changes of the machine's speed affect both, and prints
 * the medians of the rounds.
 */
export async function compare(scenario: Scenario, servers: Servers): Promise<void> {
  const floorDatabase = await servers.floor.createDatabase("bench");
  const serviceDatabase = await servers.service.createDatabase("bench");
  await runStatements(floorDatabase, scenario.floor.prepare);
  await runStatements(floorDatabase, "vacuum analyze");
  const service = await startService({ DATABASE_URL: serviceDatabase, SECRET_KEY: "0".repeat(64) });
  const floor = await startProgram(["bench/floor.ts", scenario.name, floorDatabase], { readyPattern: /^http:/ });
  try {
    for (const { path, data } of scenario.fill?.() ?? fillingCalls()) await service.call(path, data);
    await runStatements(serviceDatabase, scenario.multiply ?? "");
    await runStatements(serviceDatabase, "vacuum analyze");
    const sides: [Side, Side] = [
      { name: "floor", url: floor.readyLine, program: floor, server: servers.floor, rounds: [] },
      {
        name: "colloquy",
        url: service.address + scenario.path,
        program: service.program,
        server: servers.service,
        rounds: [],
      },
    ];
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of sides) {
        const result = await measureRound(side, scenario);
        // The first round warms up.
        if (round > 0) side.rounds.push(result);
      }
    }
    printRows(scenario, ...sides);
  } finally {
    await Promise.all([service.program.stop(), floor.stop()]);
  }
}

async function measureRound({ url, program, server }: Side, { headers, bodies }: Scenario): Promise<Round> {
  const processBefore = processorTimeUs(program.pid);
  const postgresBefore = processorTimeUs(server.postmasterPid);
  const load = { url, headers: { ...AUTHENTICATION_HEADERS, ...headers }, bodies };
  const measurement = await measure(load, CONNECTIONS, SECONDS);
  return {
    ...measurement,
    processUs: (processorTimeUs(program.pid) - processBefore) / measurement.requests,
    postgresUs: (processorTimeUs(server.postmasterPid) - postgresBefore) / measurement.requests,
  };
}

function printRows({ name, aim }: Scenario, floor: Side, service: Side): void {
  const ratios = [
    decimals(totalUs(service) / totalUs(floor), 2),
    ...[decimals(requestsPerSecond(service) / requestsPerSecond(floor), 2), String(aim)],
  ];
  printRow(name, floor, []);
  printRow(name, service, ratios);
}

function printRow(scenario: string, side: Side, ratios: string[]): void {
  const cells = [
    decimals(requestsPerSecond(side), 0),
    decimals(
      medianOf(side, ({ p50Ms }) => p50Ms),
      1,
    ),
    decimals(
      medianOf(side, ({ p99Ms }) => p99Ms),
      1,
    ),
    decimals(side.program.memoryBytes() / 2 ** 20, 0),
    decimals(
      medianOf(side, ({ processUs }) => processUs),
      0,
    ),
    decimals(
      medianOf(side, ({ postgresUs }) => postgresUs),
      0,
    ),
    decimals(totalUs(side), 0),
    ...ratios,
  ];
  console.log(scenario.padEnd(SCENARIO_WIDTH) + side.name.padEnd(SIDE_WIDTH) + cells.map(cell).join(""));
}

function requestsPerSecond(side: Side): number {
  return medianOf(side, (round) => round.requestsPerSecond);
}

function totalUs(side: Side): number {
  return medianOf(side, ({ processUs, postgresUs }) => processUs + postgresUs);
}

function medianOf({ rounds }: Side, value: (round: Round) => number): number {
  return median(rounds.map(value));
}

function decimals(value: number, digits: number): string {
  return Number.isNaN(value) ? "n/a" : value.toFixed(digits);
}

function cell(text: string): string {
  return text.padStart(14);
}

/**
 * `npm run bench`: the service and a floor (bench/floor.ts) on one embedded PostgreSQL, measured in turn in one run.
 * `npm run bench -- activities/get` runs only the scenarios whose names hold that text.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import pino from "pino";
import packageJson from "../package.json" with { type: "json" };
import { borrowEmbeddedDatabase } from "../src/database/embedded.ts";
import { measureConsole } from "./console.ts";
import { loadGenerator, type Measurement, measure } from "./load.ts";
import { type Running, startProgram } from "./processes.ts";
import { fillingCalls, type Scenario, STORED_RECORDS, scenarios } from "./scenarios.ts";
import { measureUserDataDeletion } from "./user-data.ts";

const CONNECTIONS = 64;
const SECONDS = 5;
const ROUNDS = 3;
const API_KEY = "bench-api-key";
const AUTH_TOKEN = "bench-auth-token-0123456789";
/** The options of Node and the command, as `npm start` runs them; what a developer keeps in .env is no part of it. */
const START = packageJson.scripts.start
  .split(" ")
  .slice(1)
  .map((argument) =>
    argument === "src/main.js" ? fileURLToPath(new URL(`../${argument}`, import.meta.url)) : argument,
  );
const HEADERS = { "x-service-api-key": API_KEY, "x-service-auth-token": AUTH_TOKEN };

const dataDir = await mkdtemp(join(tmpdir(), "colloquy-bench-"));
const database = await borrowEmbeddedDatabase({ dataDir, log: pino({ level: "silent" }) });
try {
  await main();
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function main(): Promise<void> {
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${loadGenerator}, ${CONNECTIONS} connections, ` +
      `${STORED_RECORDS} records stored, ${ROUNDS} rounds of ${SECONDS} s each\n`,
  );
  await measureStarts();
  const chosen = scenarios.filter(({ name }) => name.includes(process.argv[2] ?? ""));
  console.log(`${["scenario", "", "requests/s", "p50 ms", "p99 ms", "memory MB", "ratio", "aim"].map(cell).join("")}`);
  for (const scenario of chosen) await compare(scenario);
  for (const [name, measureAll] of Object.entries({ "user-data": measureUserDataDeletion, console: measureConsole })) {
    if (name.includes(process.argv[2] ?? "")) await onNewService(measureAll);
  }
}

/** For what is no comparison of one operation with a floor. */
async function onNewService(measureAll: typeof measureConsole): Promise<void> {
  const connectionString = await newDatabase("service");
  const service = await startService({ DATABASE_URL: connectionString, SECRET_KEY: "0".repeat(64) });
  try {
    await measureAll({
      address: service.address,
      connectionString,
      call: (path, data) => call(service.address, path, data),
      run: (statements) => multiplyAndVacuum(connectionString, statements),
    });
  } finally {
    await service.running.stop();
  }
}

/** From the start of the process to the first answer, on an empty folder and on one with a database. */
async function measureStarts(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-bench-start-"));
  try {
    for (const name of ["first start", "later start"]) {
      const begun = performance.now();
      const service = await startService({ DATA_DIR: folder });
      await call(service.address, "/v1/organizations/get", {});
      console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(2)} s to the first answer`);
      await service.running.stop();
    }
    console.log("");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Service and floor in turn, so that a change of the machine's speed meets both; the medians are printed. */
async function compare(scenario: Scenario): Promise<void> {
  const floorUrl = await newDatabase("floor");
  const client = new pg.Client({ connectionString: floorUrl });
  await client.connect();
  await client.query(scenario.floor.prepare);
  await client.query("vacuum analyze");
  const serviceUrl = await newDatabase("service");
  const service = await startService({ DATABASE_URL: serviceUrl, SECRET_KEY: "0".repeat(64) });
  const floor = await startProgram(["bench/floor.ts", scenario.name, floorUrl], { accept: isAddress });
  try {
    for (const { path, data } of scenario.fill?.() ?? fillingCalls()) await call(service.address, path, data);
    await multiplyAndVacuum(serviceUrl, scenario.multiply ?? "");
    const targets = [
      { name: "floor", url: floor.line, running: floor, results: [] as Measurement[] },
      {
        name: "colloquy",
        url: service.address + scenario.path,
        running: service.running,
        results: [] as Measurement[],
      },
    ];
    const headers = { ...HEADERS, ...scenario.headers };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { url, results } of targets) {
        const result = await measure({ url, headers, bodies: scenario.bodies }, CONNECTIONS, SECONDS);
        // The first round warms up.
        if (round > 0) results.push(result);
      }
    }
    const rates = targets.map(({ results }) => median(results.map(({ requestsPerSecond }) => requestsPerSecond)));
    for (const [index, { name, results, running }] of targets.entries()) {
      const ratio = name === "floor" ? "" : ((rates[index] ?? 0) / (rates[0] ?? 1)).toFixed(2);
      const row = [
        ...[scenario.name, name, (rates[index] ?? 0).toFixed(0)],
        ...[median(results.map(({ p50Ms }) => p50Ms)).toFixed(1), median(results.map(({ p99Ms }) => p99Ms)).toFixed(1)],
        ...[(running.memoryBytes() / 1024 / 1024).toFixed(0), ratio, ratio && String(scenario.aim)],
      ];
      console.log(row.map(cell).join(""));
    }
  } finally {
    await Promise.all([service.running.stop(), floor.stop(), client.end()]);
  }
}

async function startService(environment: Record<string, string>): Promise<{ address: string; running: Running }> {
  const running = await startProgram(START, {
    environment: {
      PORT: "0",
      LOG_LEVEL: "info",
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_AUTH_TOKEN: AUTH_TOKEN,
      ...environment,
    },
    directory: dataDir,
    accept: isAddress,
  });
  return { address: addressIn(running.line), running };
}

async function newDatabase(name: string): Promise<string> {
  const admin = new pg.Client(database.connection);
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  await admin.end();
  const { host, port, user, password } = database.connection;
  const url = new URL(`postgresql://localhost:${port}/${name}`);
  url.username = user;
  if (password) url.password = password;
  url.searchParams.set("host", host);
  return url.href;
}

async function multiplyAndVacuum(connectionString: string, multiply: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(multiply);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

async function call(address: string, path: string, data: object): Promise<unknown> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...HEADERS },
    body: JSON.stringify({ data }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function isAddress(line: string): boolean {
  return /http:\/\/127\.0\.0\.1:\d+/.test(line);
}

function addressIn(line: string): string {
  return /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? "";
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function cell(text: string): string {
  return text.padStart(16);
}

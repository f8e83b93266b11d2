/** `npm run bench -- overload`: measures what callers who ask for too much do to the others. */
import { connect } from "node:net";
import pino from "pino";
import { openDatabase } from "../src/database/database.ts";
import { createWorkspace } from "../src/features/workspaces/workspaces.ts";
import { buildRequest, type ConnectionsResult, describe, load as loadFor, sendAndIgnore } from "./connection-load.ts";
import { startProbing } from "./probe.ts";
import type { RunningProgram } from "./processes.ts";
import { AUTHENTICATION_HEADERS, type RunningService } from "./service.ts";

const SECONDS = 8;
const [FEW, MANY] = [64, 10_000];
const PROBE_INTERVAL_MS = 20;
const LARGE_BODIES = 10;
const UNFINISHED_REQUESTS = 900;
const ACTIVITY = { featureType: "comment", actionType: "comment.add", actionUser: { userId: "ada" } } as const;
const SCOPE = { organizationId: "bench", documentId: "document-0" };
const READ = buildRequest("/v2/activities/get", { ...SCOPE, pageSize: 1 }, AUTHENTICATION_HEADERS);
const WRONG_TOKEN = { ...AUTHENTICATION_HEADERS, "x-service-auth-token": "wrong-token-0123456789" };

export async function measureOverload(service: RunningService, connectionString: string): Promise<void> {
  await service.call("/v2/activities/add", { ...SCOPE, activities: [ACTIVITY] });
  // Memory is measured first, because a process does not return all of it.
  await measureUnfinishedBodies(service);
  await measureUnreadResponses(service, connectionString);
  await measureLargeBodies(service);
  await measureWrongTokens(service);
  await measureUnfinishedRequests(service);
  await measureManyConnections(service);
}

async function measureManyConnections({ address, program }: RunningService): Promise<void> {
  await load(address, FEW, READ, 3);
  const few = await load(address, FEW, READ);
  console.log(`${FEW} connections: ${describe(few)}`);
  const probing = await startProbing(address);
  const many = await load(address, MANY, READ);
  const endedAt = performance.now();
  const probesMs = await probing.stop();
  await untilFast(address);
  const recoveryMs = performance.now() - endedAt;
  const ratio = many.completed / many.seconds / (few.completed / few.seconds);
  console.log(`${MANY} connections: ${describe(many)}`);
  console.log(`ratio ${ratio.toFixed(2)} (target: 0.70); p99 of completed ${many.p99Ms.toFixed(0)} ms (target: 2000)`);
  const overTarget = probesMs.filter((ms) => ms > 100).length;
  const slowestMs = Math.max(...probesMs).toFixed(0);
  console.log(`slowest /healthz ${slowestMs} ms (target: 100), ${overTarget} of ${probesMs.length} over the target`);
  console.log(`recovered after ${recoveryMs.toFixed(0)} ms (target: 2000)`);
  console.log(`resident memory ${(program.memoryBytes() / 1e6).toFixed(0)} MB\n`);
}

async function measureLargeBodies({ address }: RunningService): Promise<void> {
  const keys = Object.fromEntries(Array.from({ length: 98_000 }, (_, key) => [`${"k".repeat(10)}${key}`, 0]));
  const kinds = { "98,000 different keys": keys, "lone surrogates": "\ud800".repeat(340_000) };
  for (const [kind, entityData] of Object.entries(kinds)) {
    const data = { ...SCOPE, documentId: "large", activities: [{ ...ACTIVITY, entityData }] };
    const request = Buffer.from(buildRequest("/v2/activities/add", data, AUTHENTICATION_HEADERS));
    const probing = await startProbing(address);
    const responses = await Promise.all(Array.from({ length: LARGE_BODIES }, () => requestResponse(address, request)));
    const probesMs = (await probing.stop()).sort((one, other) => one - other);
    if (!responses.every((response) => response.startsWith("HTTP/1.1 200")))
      throw new Error("a large body was rejected");
    const p95Ms = probesMs[Math.floor(probesMs.length * 0.95)]?.toFixed(0);
    const slowestMs = probesMs.at(-1)?.toFixed(0);
    console.log(`${LARGE_BODIES} bodies of ${kind} at once, ${(request.length / 1e6).toFixed(1)} MB each:`);
    console.log(`/healthz p95 ${p95Ms} ms, slowest ${slowestMs} ms (target: 100), of ${probesMs.length}\n`);
  }
}

/** Sends a request over a new connection and returns the beginning of the response. */
function requestResponse(address: string, request: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }).on("error", reject);
    socket.once("data", (bytes) => {
      resolve(bytes.toString());
      socket.destroy();
    });
    socket.write(request);
  });
}

async function measureWrongTokens({ address }: RunningService): Promise<void> {
  const wrong = buildRequest("/v2/activities/get", SCOPE, WRONG_TOKEN);
  const alone = await load(address, 8, READ);
  const flood = load(address, FEW, wrong, SECONDS + 4);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const beside = await load(address, 8, READ);
  console.log(`8 connections alone: ${describe(alone)}`);
  console.log(`8 connections beside a flood of wrong tokens: ${describe(beside)}`);
  console.log(`the flood: ${describe(await flood)}`);
  console.log(`p99 ${(beside.p99Ms / alone.p99Ms).toFixed(2)} times that of the calls alone (target: 2)\n`);
}

/** Measures calls beside requests without credentials that never end, which differ in a cookie. */
async function measureUnfinishedRequests({ address }: RunningService): Promise<void> {
  const alone = await load(address, 8, READ);
  const sockets = Array.from({ length: UNFINISHED_REQUESTS }, (_, number) => {
    const headers = { cookie: `session=${number}`, "content-length": "1000" };
    return sendAndIgnore(address, buildRequest("/v2/activities/add", {}, headers));
  });
  const beside = await load(address, 8, READ);
  console.log(`8 connections alone: ${describe(alone)}`);
  console.log(`8 connections beside ${UNFINISHED_REQUESTS} unfinished requests: ${describe(beside)}`);
  console.log(`p99 ${(beside.p99Ms / alone.p99Ms).toFixed(2)} times that of the calls alone (target: 2)\n`);
  for (const socket of sockets) socket.destroy();
}

async function measureUnfinishedBodies({ address, program }: RunningService): Promise<void> {
  const head = buildRequest("/v2/activities/add", {}, { "content-length": "10000000" });
  const sockets = Array.from({ length: 60 }, () => sendAndIgnore(address, head, Buffer.alloc(9_000_000, " ")));
  const peak = await peakMemory(program, 5_000);
  console.log(`60 unfinished bodies without a key: at most ${peak.toFixed(0)} MB resident (target: 300)\n`);
  for (const socket of sockets) socket.destroy();
}

async function measureUnreadResponses(
  { address, program, call }: RunningService,
  connectionString: string,
): Promise<void> {
  const other = buildRequest("/v2/activities/get", SCOPE, await otherWorkspace(connectionString));
  const long = { organizationId: "bench", documentId: "long" };
  const activities = [{ ...ACTIVITY, entityData: "x".repeat(1_000_000) }];
  for (let count = 0; count < 8; count++) await call("/v2/activities/add", { ...long, activities });
  const read = buildRequest("/v2/activities/get", long, AUTHENTICATION_HEADERS);
  const sockets = Array.from({ length: 200 }, () => sendAndIgnore(address, read));
  const peak = peakMemory(program, SECONDS * 1000 + 2_000);
  const beside = await load(address, 8, other);
  console.log(`200 clients that do not read 8 MB: at most ${(await peak).toFixed(0)} MB resident`);
  console.log(`8 connections of another workspace meanwhile: ${describe(beside)}\n`);
  for (const socket of sockets) socket.destroy();
}

/** Creates a workspace and returns its credentials. */
async function otherWorkspace(connectionString: string): Promise<Record<string, string>> {
  const log = pino({ level: "silent" });
  const database = openDatabase({ connection: { connectionString }, poolMax: 1, log });
  const { apiKey, authToken } = await createWorkspace(database, { name: "other", activityServiceEnabled: true });
  await database.close();
  return { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
}

/** Returns the largest resident memory within a time, in megabytes. */
async function peakMemory(program: RunningProgram, durationMs: number): Promise<number> {
  const endAt = performance.now() + durationMs;
  let peak = 0;
  while (performance.now() < endAt) {
    peak = Math.max(peak, program.memoryBytes() / 1e6);
    await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS));
  }
  return peak;
}

function load(address: string, connections: number, request: string, seconds = SECONDS): Promise<ConnectionsResult> {
  return loadFor(address, { connections, seconds, request });
}

/** Resolves when three responses in a row have taken less than 50 ms. */
async function untilFast(address: string): Promise<void> {
  for (let fast = 0; fast < 3; ) {
    const sentAt = performance.now();
    const response = await fetch(`${address}/v2/activities/get`, {
      method: "POST",
      headers: { "content-type": "application/json", ...AUTHENTICATION_HEADERS },
      body: JSON.stringify({ data: { ...SCOPE, pageSize: 1 } }),
    });
    await response.text();
    fast = response.ok && performance.now() - sentAt < 50 ? fast + 1 : 0;
  }
}
